package io.lastcall.probe.server;

import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One connection, one request, one answer. The server's thread only. */
final class ProbeConnection {
  /** What a connection waits for. */
  enum State {
    /** The request's head. */
    READING,
    /** The answer to a preStop hook. */
    ANSWERING,
    /** Room for the response. */
    WRITING,
    /** The peer's FIN: closing on unread input would reset the response away. */
    LINGERING
  }

  /** Far more than any probe needs; RFC 6585, section 5, has the status for more. */
  private static final int MAX_HEAD = 8 * 1024;

  /** What is thrown away of a request's body before the connection is cut. */
  private static final int MAX_DISCARDED = 64 * 1024;

  private static final DateTimeFormatter DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US);

  private static final Map<Integer, String> REASONS =
      Map.of(
          200, "OK",
          202, "Accepted",
          400, "Bad Request",
          403, "Forbidden",
          404, "Not Found",
          405, "Method Not Allowed",
          409, "Conflict",
          431, "Request Header Fields Too Large",
          503, "Service Unavailable");

  private final SocketChannel channel;
  private final ProbeServer server;
  private final SelectionKey key;

  private ByteBuffer buffer = ByteBuffer.allocate(MAX_HEAD);
  private State state = State.READING;
  private Deadline deadline;
  private int discarded;

  ProbeConnection(SocketChannel channel, ProbeServer server) throws IOException {
    this.channel = channel;
    this.server = server;
    deadline = server.soon();
    key = channel.register(server.selector(), SelectionKey.OP_READ, this);
  }

  State state() {
    return state;
  }

  boolean isLate() {
    return state != State.ANSWERING && deadline.hasPassed();
  }

  Deadline deadline() {
    return deadline;
  }

  /** The channel can be read or written. */
  void ready() throws IOException {
    switch (state) {
      case READING -> read();
      case WRITING -> write();
      case LINGERING -> discard();
      case ANSWERING -> {}
    }
  }

  private void read() throws IOException {
    if (channel.read(buffer) < 0) {
      close();
      return;
    }
    int end = RequestHead.end(buffer.array(), buffer.position());
    if (end >= 0) {
      answer(RequestHead.parse(buffer.array(), end));
    } else if (!buffer.hasRemaining()) {
      respond(plain(431));
    }
  }

  private void answer(Optional<ProbeRequest> request) throws IOException {
    if (request.isEmpty()) {
      respond(plain(400));
      return;
    }
    state = State.ANSWERING;
    key.interestOps(0);
    server.answer(request.get(), this);
  }

  void respond(ProbeAnswer answer) throws IOException {
    StringBuilder head = new StringBuilder("HTTP/1.1 ").append(answer.status()).append(' ');
    head.append(REASONS.getOrDefault(answer.status(), "")).append("\r\n");
    head.append("Date: ").append(DATE.format(ZonedDateTime.now(ZoneOffset.UTC))).append("\r\n");
    answer
        .headers()
        .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Connection: close\r\n\r\n").append(answer.body());
    buffer = ByteBuffer.wrap(head.toString().getBytes(StandardCharsets.UTF_8));
    state = State.WRITING;
    deadline = server.soon();
    write();
  }

  private static ProbeAnswer plain(int status) {
    return new ProbeAnswer(status, Map.of("Content-Length", "0"), "");
  }

  private void write() throws IOException {
    channel.write(buffer);
    if (buffer.hasRemaining()) {
      key.interestOps(SelectionKey.OP_WRITE);
      return;
    }
    channel.shutdownOutput();
    state = State.LINGERING;
    buffer = ByteBuffer.allocate(1024);
    key.interestOps(SelectionKey.OP_READ);
  }

  private void discard() throws IOException {
    int read = channel.read(buffer.clear());
    discarded += read;
    if (read < 0 || discarded > MAX_DISCARDED) {
      close();
    }
  }

  void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone either way.
    }
    server.forget(this);
  }
}
