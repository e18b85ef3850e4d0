package io.lastcall.drill;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One WebSocket, as cheap as can be: ten thousand of the JDK's client take two cores longer to
 * close than a server takes to tell them, and what is to be measured is the server. Speaks as much
 * of RFC 6455 as an echo needs. Used by one thread at a time.
 */
final class WebSocketClient implements AutoCloseable {
  /** What a client reports that has seen no close frame, RFC 6455, section 7.1.5. */
  static final int ABNORMAL = 1006;

  /** A close frame without a code, RFC 6455, section 7.1.5. */
  private static final int NO_CODE = 1005;

  private static final int TEXT = 0x81;
  private static final int CLOSE = 0x88;

  /** Longer ones have a length of another form, RFC 6455, section 5.2; neither side sends any. */
  private static final int MAX_PAYLOAD = 125;

  private static final int PATIENCE_MILLIS = 10_000;

  private static final byte[] MESSAGE = "still there?".getBytes(StandardCharsets.US_ASCII);

  /** The client's request, RFC 6455, section 4.1. */
  static final String HANDSHAKE =
      """
      GET /ws HTTP/1.1\r
      Host: localhost\r
      Connection: Upgrade\r
      Upgrade: websocket\r
      Sec-WebSocket-Version: 13\r
      Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
      \r
      """;

  /** How it ended, and when, as {@link System#nanoTime()}. */
  record End(int code, long at) {}

  private final SocketChannel channel;
  private final ByteBuffer in = ByteBuffer.allocate(1024);
  private @Nullable End end;

  private WebSocketClient(SocketChannel channel) {
    this.channel = channel;
  }

  /** Connects, and waits for the server's yes. */
  static WebSocketClient open(int port) throws IOException {
    SocketChannel channel =
        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    WebSocketClient client = new WebSocketClient(channel);
    try {
      client.shakeHands();
      return client;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** A server that is full may not answer: Tomcat by default takes 8,192 connections. */
  private void shakeHands() throws IOException {
    channel.socket().setSoTimeout(PATIENCE_MILLIS);
    channel.write(ByteBuffer.wrap(HANDSHAKE.getBytes(StandardCharsets.US_ASCII)));
    InputStream answer = channel.socket().getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = answer.read();
      if (next < 0) {
        throw new IOException("Connection ended within the handshake: " + head);
      }
      head.append((char) next);
    }
    if (head.indexOf("HTTP/1.1 101 ") != 0) {
      throw new IOException("Not a WebSocket: " + head);
    }
    channel.configureBlocking(false);
  }

  SocketChannel channel() {
    return channel;
  }

  /** How it ended, or null as long as it has not. */
  @Nullable End end() {
    return end;
  }

  /** Whether the connection is closed: by the server first, RFC 6455, section 7.1.1. */
  boolean isClosed() {
    return !channel.isOpen();
  }

  /** Sends a message, to be echoed. */
  void talk() {
    send(TEXT, MESSAGE);
  }

  /**
   * Reads what has arrived; closes the channel when the server has.
   *
   * @return whether an echo was among it
   */
  boolean read() {
    try {
      int read = channel.read(in);
      boolean echo = readFrames(System.nanoTime());
      if (read < 0) {
        fail();
      }
      return echo;
    } catch (IOException e) {
      fail();
      return false;
    }
  }

  private boolean readFrames(long now) throws IOException {
    boolean echo = false;
    in.flip();
    while (in.remaining() >= 2 && in.remaining() >= 2 + in.get(in.position() + 1)) {
      int head = in.get() & 0xFF;
      int length = in.get();
      if (length < 0 || length > MAX_PAYLOAD || (head != TEXT && head != CLOSE)) {
        throw new IOException("Unexpected frame: %x, length %d".formatted(head, length));
      }
      byte[] payload = new byte[length];
      in.get(payload);
      if (head == TEXT) {
        echo = true;
      } else if (end == null) {
        int code = length < 2 ? NO_CODE : ByteBuffer.wrap(payload).getShort() & 0xFFFF;
        end = new End(code, now);
        send(CLOSE, payload);
      }
    }
    in.compact();
    return echo;
  }

  /** Masked, as a client's frames must be, RFC 6455, section 5.3; by zeros. */
  private void send(int head, byte[] payload) {
    ByteBuffer frame = ByteBuffer.allocate(6 + payload.length);
    frame.put((byte) head).put((byte) (0x80 | payload.length)).putInt(0).put(payload).flip();
    try {
      channel.write(frame);
    } catch (IOException e) {
      // No news: the next read tells how the connection ended.
    }
  }

  /** The connection is gone, or no WebSocket any more. */
  private void fail() {
    if (end == null) {
      end = new End(ABNORMAL, System.nanoTime());
    }
    close();
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // Gone all the same.
    }
  }
}
