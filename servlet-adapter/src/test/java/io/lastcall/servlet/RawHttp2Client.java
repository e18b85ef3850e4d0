package io.lastcall.servlet;

import io.lastcall.testing.RawHttp2;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** One HTTP/2 connection whose settings are settled, with more of what clients do. */
public final class RawHttp2Client extends RawHttp2 {
  /** {@code lastcall}, in ASCII: what the PING behind a GOAWAY carries. */
  private static final long OURS = 0x6c61737463616c6cL;

  private final Map<Integer, Integer> settings = new HashMap<>();

  /** Connects with prior knowledge, and settles the settings. */
  public RawHttp2Client(int port) throws IOException {
    this(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  /** As above, on a connection there is, with TLS say. */
  public RawHttp2Client(Socket connected) throws IOException {
    super(connected);
    settle();
  }

  private RawHttp2Client(Socket connected, String... opening) throws IOException {
    super(connected, opening);
  }

  private void settle() throws IOException {
    Frame frame = next(SETTINGS);
    while (!frame.isAck()) {
      while (frame.payload().hasRemaining()) {
        settings.put((int) frame.payload().getShort(), frame.payload().getInt());
      }
      frame = next(SETTINGS);
    }
  }

  /** Returns what the server's settings say (RFC 9113, section 6.5.2); 0: nothing, or that. */
  public int setting(int identifier) {
    return settings.getOrDefault(identifier, 0);
  }

  /** A GET that asks for HTTP/2 in the way of RFC 7540, section 3.2; its answer is stream 1's. */
  public static RawHttp2Client upgraded(int port, String path) throws IOException {
    RawHttp2Client client =
        new RawHttp2Client(
            new Socket(InetAddress.getLoopbackAddress(), port),
            "GET "
                + path
                + " HTTP/1.1\r\nHost: test\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                + "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n",
            PREFACE);
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      head.append((char) client.in.readUnsignedByte());
    }
    if (!head.toString().startsWith("HTTP/1.1 101 ")) {
      throw new IOException("Not upgraded: " + head);
    }
    return client;
  }

  @Override
  public RawHttp2Client get(int stream, String path) throws IOException {
    super.get(stream, path);
    return this;
  }

  /** Lets the server send more on {@code stream}; 0: on the connection. */
  public RawHttp2Client openWindow(int stream, int bytes) throws IOException {
    write(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(Integer.BYTES).putInt(bytes).array());
    return this;
  }

  /** The client's own: it opens no more streams, and goes on with those there are. */
  public RawHttp2Client goAway() throws IOException {
    write(GOAWAY, 0, 0, "\0\0\0\0\0\0\0\0bye".getBytes(StandardCharsets.US_ASCII));
    return this;
  }

  /** Returns once the server has seen all that was sent: SETTINGS are answered in their turn. */
  public void awaitSeen() throws IOException {
    write(SETTINGS, 0, 0);
    while (!next(SETTINGS).isAck()) {
      // Its own, which come once, are behind us.
    }
  }

  /** The answer to a PING that was not the drain's. */
  public void acknowledgeAnother() throws IOException {
    write(PING, ACK, 0, new byte[8]);
  }

  /** Returns the next frame of {@code type}; skips settings and window updates. */
  public Frame next(int type) throws IOException {
    Frame frame = read();
    while (frame.type() != type) {
      if (frame.type() != SETTINGS && frame.type() != WINDOW_UPDATE) {
        throw new IOException("Expected a frame of type " + type + ", got " + frame);
      }
      frame = read();
    }
    return frame;
  }

  /** Reads a response of {@code stream}; returns its length. */
  public int response(int stream) throws IOException {
    Frame frame = next(HEADERS);
    int length = 0;
    while (!frame.endsStream()) {
      frame = next(DATA);
      if (frame.stream() != stream) {
        throw new IOException("Expected data of stream " + stream + ", got " + frame);
      }
      length += frame.payload().remaining();
    }
    return length;
  }

  /** Reads to the end of a response of {@code stream}, whatever comes between; returns its body. */
  public String body(int stream) throws IOException {
    StringBuilder body = new StringBuilder();
    Frame frame = await(DATA);
    while (frame.stream() != stream || !frame.endsStream()) {
      append(frame, stream, body);
      frame = await(DATA);
    }
    append(frame, stream, body);
    return body.toString();
  }

  private static void append(Frame frame, int stream, StringBuilder body) {
    if (frame.stream() == stream) {
      body.append(StandardCharsets.US_ASCII.decode(frame.payload()));
    }
  }

  /** Answers what is not the drain's: Tomcat measures the time of a round trip. */
  @Override
  protected Frame read() throws IOException {
    Frame frame = super.read();
    while (frame.type() == PING && frame.payload().getLong(0) != OURS) {
      ack(frame);
      frame = super.read();
    }
    return frame;
  }

  /** Returns whether the server's FIN comes, after whatever frames. */
  public boolean endsAtLast() throws IOException {
    while (!next().equals("EOF")) {
      // Whatever it is.
    }
    return true;
  }
}
