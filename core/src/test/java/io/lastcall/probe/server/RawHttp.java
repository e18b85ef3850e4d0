package io.lastcall.probe.server;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A client that sends what it is told to, byte for byte. */
public final class RawHttp implements Closeable {
  private final Socket socket = new Socket();

  /** Connects. */
  public RawHttp(int port) throws IOException {
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
    socket.setSoTimeout(20_000);
  }

  /** Sends and reads until the server closes. */
  public static String exchange(int port, String request) throws IOException {
    try (RawHttp client = new RawHttp(port)) {
      return client.send(request).response();
    }
  }

  /** Sends a request of one line and reads the status. */
  public static int status(int port, String requestLine) throws IOException {
    String response = exchange(port, requestLine + " HTTP/1.1\r\nHost: pod\r\n\r\n");
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
