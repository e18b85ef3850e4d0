package io.lastcall.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One HTTP/1.1 connection, seen byte by byte: how it ends is what the tests are about. */
public final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;

  /** A response; header names in lower case. */
  public record Reply(int status, Map<String, String> headers, String body) {
    public @Nullable String header(String name) {
      return headers.get(name);
    }

    public boolean saysClose() {
      return "close".equals(headers.get("connection"));
    }
  }

  public RawClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** As above, on a connection there is, with TLS say. */
  public RawClient(Socket connected) throws IOException {
    socket = connected;
    socket.setSoTimeout(60_000);
    socket.setTcpNoDelay(true);
    in = socket.getInputStream();
  }

  /** Sends a request of one line on a connection of its own, and reads all of the answer. */
  public static int status(int port, String requestLine) throws IOException {
    try (RawClient client = new RawClient(port)) {
      Reply head = client.send(requestLine + " HTTP/1.1\r\nHost: pod\r\n\r\n").readHead();
      client.rest();
      return head.status();
    }
  }

  public RawClient send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
    return this;
  }

  /** Says that nothing more will be sent. */
  public RawClient shutOutput() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** The host is what test certificates are for. */
  public RawClient get(String path) throws IOException {
    return send("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  }

  /** Opens a WebSocket; the key is RFC 6455's own (section 1.3). Returns the handshake's answer. */
  public Reply openWebSocket(String path) throws IOException {
    return send("GET "
            + path
            + " HTTP/1.1\r\nHost: test\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
            + "Sec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
        .readHead();
  }

  public Reply exchange(String path) throws IOException {
    return get(path).read();
  }

  /** Reads a whole response. */
  public Reply read() throws IOException {
    Reply head = readHead();
    String length = head.header("content-length");
    String body;
    if ("chunked".equals(head.header("transfer-encoding"))) {
      StringBuilder chunks = new StringBuilder();
      for (String chunk = readChunk(); !chunk.isEmpty(); chunk = readChunk()) {
        chunks.append(chunk);
      }
      body = chunks.toString();
    } else if (length != null) {
      body = exactly(Integer.parseInt(length));
    } else if (head.saysClose()) {
      body = rest();
    } else {
      body = "";
    }
    return new Reply(head.status(), head.headers(), body);
  }

  /** Reads a response's head only. */
  public Reply readHead() throws IOException {
    String status = line();
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
    }
    return new Reply(Integer.parseInt(status.substring(9, 12)), headers, "");
  }

  /** Reads the body behind {@link #readHead}; returns how much of {@code length} bytes has come. */
  public int skip(int length) throws IOException {
    return in.readNBytes(length).length;
  }

  /** Reads one chunk; empty: the last one. Jetty sends the line end behind one with the next. */
  public String readChunk() throws IOException {
    String length = line();
    if (length.isEmpty()) {
      length = line();
    }
    String chunk = exactly(Integer.parseInt(length, 16));
    if (chunk.isEmpty()) {
      line();
    }
    return chunk;
  }

  private String line() throws IOException {
    return until("\n").stripTrailing();
  }

  private String exactly(int length) throws IOException {
    String text = new String(in.readNBytes(length), ISO_8859_1);
    if (text.length() < length) {
      throw new EOFException("Connection ended within '" + text + "'");
    }
    return text;
  }

  /** Reads up to and with {@code end}, head and all. */
  public String until(String end) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(end) < 0) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("Connection ended behind '" + read + "'");
      }
      read.append((char) next);
    }
    return read.toString();
  }

  /** Reads to the server's FIN; a reset instead fails. */
  public String rest() throws IOException {
    return new String(in.readAllBytes(), ISO_8859_1);
  }

  /** Returns whether the server's FIN came, with nothing before it. Blocks until something does. */
  public boolean ended() throws IOException {
    return in.read() < 0;
  }

  /** Ends the connection by a reset, as a client does that is killed. */
  public void reset() throws IOException {
    socket.setSoLinger(true, 0);
    socket.close();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
