package io.lastcall.faults;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Locale;

/** One connection of HTTP/1.1, and requests on it, one after the other. */
final class Http implements AutoCloseable {
  /** Longer than any process lives that is to go. */
  private static final Duration TIMEOUT = Duration.ofSeconds(15);

  private final Socket socket;
  private final InputStream in;

  /** A whole response. */
  record Answer(int status, boolean close) {}

  private Http(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedInputStream(socket.getInputStream());
  }

  static Http connect(int port) throws IOException {
    return new Http(socket(port));
  }

  static Socket socket(int port) throws IOException {
    Socket socket = new Socket();
    socket.connect(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port), (int) TIMEOUT.toMillis());
    socket.setSoTimeout((int) TIMEOUT.toMillis());
    socket.setTcpNoDelay(true);
    return socket;
  }

  /** A request on a connection of its own. */
  static Answer get(int port, String path) throws IOException {
    try (Http http = connect(port)) {
      return http.get(path);
    }
  }

  /** Returns the body of a chunked answer, once its last chunk has come. */
  static String stream(int port, String method, String path) throws IOException {
    try (Http http = connect(port)) {
      http.send(method, path);
      while (!http.line().isEmpty()) {
        // The head has been checked by its reader: no chunk is read without its size.
      }
      return http.chunks();
    }
  }

  Answer get(String path) throws IOException {
    send(path);
    return receive();
  }

  void send(String path) throws IOException {
    send("GET", path);
  }

  private void send(String method, String path) throws IOException {
    socket
        .getOutputStream()
        .write((method + " " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII));
  }

  /**
   * Reads a response to its end.
   *
   * @throws EOFException if it ends too early
   */
  Answer receive() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    long length = -1;
    boolean chunked = false;
    boolean close = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String header = line.toLowerCase(Locale.ROOT).replace(" ", "");
      if (header.startsWith("content-length:")) {
        length = Long.parseLong(header.substring("content-length:".length()));
      }
      chunked |= header.equals("transfer-encoding:chunked");
      close |= header.equals("connection:close");
    }
    if (chunked) {
      readChunks();
    } else if (length >= 0) {
      skip(length);
    } else {
      in.transferTo(java.io.OutputStream.nullOutputStream());
    }
    return new Answer(status, close);
  }

  private String chunks() throws IOException {
    StringBuilder body = new StringBuilder();
    int size = Integer.parseInt(line(), 16);
    while (size > 0) {
      body.append(new String(in.readNBytes(size), US_ASCII));
      line();
      size = Integer.parseInt(line(), 16);
    }
    return body.toString().strip();
  }

  private void readChunks() throws IOException {
    long size = Long.parseLong(line(), 16);
    while (size > 0) {
      skip(size);
      line();
      size = Long.parseLong(line(), 16);
    }
    line();
  }

  private void skip(long bytes) throws IOException {
    for (long left = bytes; left > 0; left -= in.skip(left)) {
      in.mark(1);
      if (in.read() < 0) {
        throw new EOFException("a body ended " + left + " bytes too early");
      }
      in.reset();
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("the connection ended");
      }
      line.append((char) next);
    }
    return line.toString().strip();
  }

  /** Returns whether the server has ended the connection, as a client finds out before a use. */
  boolean isEnded() throws IOException {
    socket.setSoTimeout(1);
    try {
      return in.read() < 0;
    } catch (SocketTimeoutException stillOpen) {
      return false;
    } finally {
      socket.setSoTimeout((int) TIMEOUT.toMillis());
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
