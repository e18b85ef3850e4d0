package io.lastcall.connection;

import org.jspecify.annotations.Nullable;

/**
 * Which responses are known to have no end: DRAIN does not wait for them, and CLOSE_CONNECTIONS
 * ends them. Every adapter asks here.
 *
 * <p>Known by itself is an event stream in answer to GET: an {@code EventSource} sends nothing else
 * and reconnects (HTML Standard, section 9.2). An event stream in answer to another method, such as
 * the answer of a chat or of a tool call, ends by itself, and a reconnect would not bring back the
 * rest. HEAD counts as GET, whose head it asks for.
 */
public final class EndlessResponse {
  /** The media type of an event stream. */
  public static final String EVENT_STREAM = "text/event-stream";

  /**
   * A response header by which an application on Netty, WebFlux included, says otherwise: {@link
   * #FINITE} or {@link #ENDLESS}. The adapter takes it off a response that streams. For servlets
   * there is {@code LongLived}.
   */
  public static final String HEADER = "lastcall-stream";

  /** The value of {@link #HEADER} for a response that ends by itself. */
  public static final String FINITE = "finite";

  /** The value of {@link #HEADER} for a response that lasts until one of its sides ends it. */
  public static final String ENDLESS = "endless";

  private EndlessResponse() {}

  /**
   * Returns whether the response has no end.
   *
   * @param method of the request
   * @param status of the response; an error is a page, whatever its type
   * @param type the response's Content-Type, null if it has none
   * @param mark the response's {@link #HEADER}, null if it has none; the rule decides on a value
   *     that is neither of the two
   */
  public static boolean isKnown(
      CharSequence method, int status, @Nullable CharSequence type, @Nullable CharSequence mark) {
    boolean marked = mark != null && ENDLESS.contentEquals(mark);
    boolean reconnects =
        isEventStream(type) && isPossible(method) && (mark == null || !FINITE.contentEquals(mark));
    return status / 100 == 2 && (marked || reconnects);
  }

  /** Returns whether an event stream in answer to {@code method} has no end. */
  public static boolean isPossible(CharSequence method) {
    return "GET".contentEquals(method) || "HEAD".contentEquals(method);
  }

  /**
   * Returns whether that is the type of an event stream, whatever parameters it has.
   *
   * @param type a Content-Type; null if there is none
   */
  public static boolean isEventStream(@Nullable CharSequence type) {
    int length = EVENT_STREAM.length();
    if (type == null || type.length() < length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (Character.toLowerCase(type.charAt(i)) != EVENT_STREAM.charAt(i)) {
        return false;
      }
    }
    return type.length() == length || " \t;".indexOf(type.charAt(length)) >= 0;
  }
}
