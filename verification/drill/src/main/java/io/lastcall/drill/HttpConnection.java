package io.lastcall.drill;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * One client connection over a raw socket, so that every way to fail is seen as what it is. Used by
 * one thread at a time.
 */
final class HttpConnection implements AutoCloseable {
  private final int pod;
  private final SocketChannel channel;
  private final OutputStream out;
  private final ResponseReader reader;

  private HttpConnection(int pod, SocketChannel channel) throws IOException {
    this.pod = pod;
    this.channel = channel;
    this.out = channel.socket().getOutputStream();
    this.reader = new ResponseReader(channel.socket().getInputStream());
  }

  /**
   * Connects to a port of this machine.
   *
   * @param pod whose connection this is, for the books
   * @throws java.net.ConnectException if nobody listens
   */
  static HttpConnection open(int pod, int port, Duration timeout) throws IOException {
    return open(pod, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeout);
  }

  static HttpConnection open(int pod, InetSocketAddress address, Duration timeout)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().setSoTimeout((int) timeout.toMillis());
      channel.socket().connect(address, (int) timeout.toMillis());
      return new HttpConnection(pod, channel);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  int pod() {
    return pod;
  }

  /**
   * Whether an idle connection can still carry a request: neither ended by the server nor holding
   * bytes nobody asked for. Looks at what has arrived and never waits, as connection pools do
   * before they reuse.
   */
  boolean isUsable() {
    try {
      if (reader.hasBytes()) {
        return false;
      }
      channel.configureBlocking(false);
      int read = channel.read(ByteBuffer.allocate(1));
      channel.configureBlocking(true);
      return read == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Sends a request, piece by piece. Stops early, as RFC 9112 section 9.5 wants, if an answer comes
   * while the body is being sent.
   *
   * @param pair sends it twice, in one write: without a body
   * @return whether all of it was sent
   */
  boolean send(Request request, boolean pair) throws IOException {
    out.write(request.head().repeat(pair ? 2 : 1).getBytes(StandardCharsets.US_ASCII));
    for (byte[] piece : request.body()) {
      pause(request.gap());
      if (reader.hasBytes()) {
        return false;
      }
      out.write(piece);
    }
    return true;
  }

  static void pause(Duration gap) throws IOException {
    try {
      Thread.sleep(gap.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  Reply receive() {
    return reader.read();
  }

  /**
   * Returns whether the server has ended the connection, which was idle, by a FIN and nothing else.
   */
  boolean endedByFin() {
    try {
      return !reader.hasBytes() && channel.read(ByteBuffer.allocate(1)) < 0;
    } catch (IOException reset) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The answer has been judged; how its connection ends no longer matters to anyone.
    }
  }
}
