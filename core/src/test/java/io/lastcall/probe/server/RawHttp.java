package io.lastcall.probe.server;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** A client that sends what it is told to, byte for byte. */
public final class RawHttp implements Closeable {
  private final Socket socket = new Socket();

  /** Connects; patient. */
  public RawHttp(int port) throws IOException {
    this(port, Duration.ofSeconds(20));
  }

  /** Connects; the timeout is for that, and for each read. */
  public RawHttp(int port, Duration timeout) throws IOException {
    int millis = (int) timeout.toMillis();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), millis);
    socket.setSoTimeout(millis);
  }

  /** Sends a request of one line and reads the status. */
  public static int status(int port, String requestLine) throws IOException {
    try (RawHttp client = new RawHttp(port)) {
      return client.status(requestLine);
    }
  }

  /** Sends a request of one line and reads the status. */
  public int status(String requestLine) throws IOException {
    String response = send(requestLine + " HTTP/1.1\r\nHost: pod\r\n\r\n").response();
    if (response.length() < 12) {
      throw new EOFException("No response: '" + response + "'");
    }
    return Integer.parseInt(response.substring(9, 12));
  }

  /** Sends. */
  public RawHttp send(String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return this;
  }

  /** Says that nothing more will be sent. */
  public RawHttp shutOutput() throws IOException {
    socket.shutdownOutput();
    return this;
  }

  /** Reads until the server closes. */
  public String response() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
