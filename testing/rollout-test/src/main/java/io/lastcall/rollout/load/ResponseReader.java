package io.lastcall.rollout.load;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Reads HTTP/1.1 responses off one connection (RFC 9112), one after the other, and tells exactly
 * how one that does not end well has failed. Not thread-safe.
 */
final class ResponseReader {
  private static final int BUFFER = 4096;
  private static final int LONGEST_LINE = 8192;
  private static final int LARGEST_BODY = 1 << 24;

  private final BufferedInputStream in;
  private boolean begun;

  /** The header fields that matter for framing and reuse. */
  private static final class Head {
    int status;
    long length = -1;
    boolean chunked;
    boolean close;
  }

  /** Bytes that are not HTTP. */
  private static final class MalformedException extends IOException {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
      super(message);
    }
  }

  ResponseReader(InputStream in) {
    this.in = new BufferedInputStream(in, BUFFER);
  }

  /** Whether bytes have arrived that were not read yet. */
  boolean hasBytes() throws IOException {
    return in.available() > 0;
  }

  /**
   * Whether an answer has arrived that wants no more of the body: an error that ends the
   * connection. Looks at the bytes that are there, and leaves them to {@link #read}.
   */
  boolean refusesBody() throws IOException {
    int arrived = Math.min(in.available(), BUFFER);
    if (arrived == 0) {
      return false;
    }
    in.mark(BUFFER);
    byte[] bytes = in.readNBytes(arrived);
    in.reset();
    try {
      Head head = new ResponseReader(new ByteArrayInputStream(bytes)).readHead();
      return head.status >= 400 && head.close;
    } catch (EOFException | MalformedException e) {
      return false; // not a whole head yet, or none: read() says which
    }
  }

  Reply read() {
    begun = false;
    try {
      Head head = readHead();
      while (head.status < 200) {
        head = readHead();
      }
      boolean untilClose = !head.chunked && head.length < 0;
      byte[] body = head.chunked ? readChunks() : readBody(head.length);
      return new Reply.Complete(
          head.status, head.close || untilClose, new String(body, StandardCharsets.ISO_8859_1));
    } catch (MalformedException e) {
      return new Reply.Broken(Outcome.WRONG_BODY, "not HTTP: " + e.getMessage());
    } catch (SocketTimeoutException e) {
      return new Reply.Broken(
          Outcome.TIMEOUT, begun ? "timeout in a response" : "timeout before a response");
    } catch (EOFException e) {
      return begun
          ? new Reply.Broken(Outcome.TRUNCATED, "closed in a response")
          : new Reply.Broken(Outcome.EOF, "closed without a byte");
    } catch (IOException e) {
      return new Reply.Broken(begun ? Outcome.TRUNCATED : Outcome.RESET, "" + e.getMessage());
    }
  }

  private Head readHead() throws IOException {
    Head head = new Head();
    String line = readLine();
    if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
      throw new MalformedException("status line");
    }
    head.status = Integer.parseInt(line.substring(9, 12));
    head.close = line.startsWith("HTTP/1.0");
    for (line = readLine(); !line.isEmpty(); line = readLine()) {
      field(head, line);
    }
    if (head.status == 204 || head.status == 304) {
      head.length = 0;
    }
    return head;
  }

  private static void field(Head head, String line) throws MalformedException {
    int colon = line.indexOf(':');
    if (colon < 1) {
      throw new MalformedException("header line");
    }
    String value = line.substring(colon + 1).trim().toLowerCase(Locale.ROOT);
    switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
      case "content-length" -> head.length = number(value, 10);
      case "transfer-encoding" -> head.chunked = value.endsWith("chunked");
      case "connection" -> {
        if (value.matches("(.*,\\s*)?close(\\s*,.*)?")) {
          head.close = true;
        }
      }
      default -> {}
    }
  }

  private byte[] readBody(long length) throws IOException {
    if (length < 0) {
      return in.readAllBytes();
    }
    if (length > LARGEST_BODY) {
      throw new MalformedException("a body of " + length + " bytes");
    }
    byte[] body = in.readNBytes((int) length);
    if (body.length < length) {
      throw new EOFException();
    }
    return body;
  }

  private byte[] readChunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      String line = readLine();
      int extension = line.indexOf(';');
      long size = number((extension < 0 ? line : line.substring(0, extension)).trim(), 16);
      if (size == 0) {
        break;
      }
      body.writeBytes(readBody(size));
      if (!readLine().isEmpty()) {
        throw new MalformedException("end of a chunk");
      }
    }
    // Trailers are of no interest, but they belong to this response.
    String trailer;
    do {
      trailer = readLine();
    } while (!trailer.isEmpty());
    return body.toByteArray();
  }

  private static long number(String digits, int radix) throws MalformedException {
    try {
      long value = Long.parseLong(digits, radix);
      if (value >= 0 && value <= LARGEST_BODY) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new MalformedException("a length of '" + digits + "'");
    }
    throw new MalformedException("a length of '" + digits + "'");
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(80);
    while (line.size() < LONGEST_LINE) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException();
      }
      begun = true;
      if (next == '\n') {
        String text = line.toString(StandardCharsets.ISO_8859_1);
        return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
      }
      line.write(next);
    }
    throw new MalformedException("a line without end");
  }
}
