package io.lastcall.rollout.load;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One request, and what its answer has to be.
 *
 * @param kind a word or two that say in a report which request it was
 * @param fields header fields, besides those for length and host
 * @param body in pieces; none for a GET
 * @param gap the pause before each piece: a client that is slow to send
 * @param pair sent twice at once on a keep-alive connection (RFC 9112, section 9.3.2); without body
 */
public record Request(
    String kind,
    String method,
    String target,
    Map<String, String> fields,
    List<byte[]> body,
    Duration gap,
    boolean pair,
    Expected expected) {

  public Request {
    fields = Map.copyOf(fields);
    body = List.copyOf(body);
  }

  /** What an answer that came to its end has to be. */
  @FunctionalInterface
  public interface Expected {
    boolean accepts(int status, String body);

    /** Status 200, and such a body. */
    static Expected ok(java.util.function.Predicate<String> body) {
      return (status, text) -> status == 200 && body.test(text);
    }
  }

  /** The same, sent alone. */
  Request single() {
    return new Request(kind, method, target, fields, body, gap, false, expected);
  }

  int length() {
    return body.stream().mapToInt(piece -> piece.length).sum();
  }

  /** Whether its length is told: also for an empty body, except where the method has none. */
  boolean hasBody() {
    return !body.isEmpty();
  }

  /** The head as HTTP/1.1 has it. */
  byte[] head() {
    StringBuilder head = new StringBuilder();
    head.append(method).append(' ').append(target).append(" HTTP/1.1\r\nHost: service\r\n");
    fields.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    if (hasBody()) {
      head.append("Content-Length: ").append(length()).append("\r\n");
    }
    return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The outcome that a reply to this request amounts to. */
  public Outcome judge(Reply reply) {
    if (reply instanceof Reply.Broken broken) {
      return broken.outcome();
    }
    Reply.Complete complete = (Reply.Complete) reply;
    if (expected.accepts(complete.status(), complete.body())) {
      return Outcome.OK;
    }
    if (complete.status() == 503) {
      return Outcome.UNAVAILABLE;
    }
    return complete.status() == 200 ? Outcome.WRONG_BODY : Outcome.OTHER_STATUS;
  }
}
