package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;

/** A client that sees every byte, and the end of the stream. */
final class RawClient implements AutoCloseable {
  private final Socket socket;

  RawClient(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  RawClient(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout(10_000);
  }

  void send(String bytes) throws IOException {
    socket.getOutputStream().write(bytes.getBytes(ISO_8859_1));
    socket.getOutputStream().flush();
  }

  void get(String path) throws IOException {
    send("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n");
  }

  /** Reads one response, whose length is given. */
  String response() throws IOException {
    StringBuilder response = new StringBuilder();
    while (response.indexOf("\r\n\r\n") < 0) {
      response.append(next());
    }
    String length = "content-length: ";
    int at = response.indexOf(length) + length.length();
    int body = Integer.parseInt(response.substring(at, response.indexOf("\r\n", at)));
    for (int i = 0; i < body; i++) {
      response.append(next());
    }
    return response.toString();
  }

  private char next() throws IOException {
    int read = socket.getInputStream().read();
    if (read < 0) {
      throw new IOException("The stream has ended");
    }
    return (char) read;
  }

  /** Reads up to and with {@code text}. */
  String until(String text) throws IOException {
    StringBuilder read = new StringBuilder();
    while (read.indexOf(text) < 0) {
      read.append(next());
    }
    return read.toString();
  }

  /** Reads to the end of the stream: a reset instead of a FIN fails. */
  String rest() throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    InputStream in = socket.getInputStream();
    in.transferTo(rest);
    return rest.toString(ISO_8859_1);
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
