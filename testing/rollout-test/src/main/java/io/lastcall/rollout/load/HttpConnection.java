package io.lastcall.rollout.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;

/**
 * One client connection over a raw socket, so that every way to fail is seen as what it is. Used by
 * one thread at a time.
 */
public final class HttpConnection implements AutoCloseable {
  private final int pod;
  private final Transport transport;
  private final OutputStream out;
  private final InputStream in;
  private final ResponseReader reader;
  private long headSent;

  private HttpConnection(int pod, Transport transport) throws IOException {
    this.pod = pod;
    this.transport = transport;
    this.out = transport.socket().getOutputStream();
    this.in = transport.socket().getInputStream();
    this.reader = new ResponseReader(in);
  }

  /**
   * Connects to a port of this machine.
   *
   * @param pod whose connection this is, for the books
   * @throws java.net.ConnectException if nobody listens
   */
  public static HttpConnection open(int pod, int port, Duration timeout) throws IOException {
    LoadSettings plain = new LoadSettings(false, false, 0, false, timeout, timeout);
    return open(pod, new InetSocketAddress(InetAddress.getLoopbackAddress(), port), plain);
  }

  public static HttpConnection open(int pod, InetSocketAddress address, LoadSettings settings)
      throws IOException {
    return new HttpConnection(pod, Transport.open(address, settings));
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
      if (transport.isTls()) {
        return isSilent();
      }
      transport.channel().configureBlocking(false);
      int read = transport.channel().read(ByteBuffer.allocate(1));
      transport.channel().configureBlocking(true);
      return read == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** With TLS a record has to be read to know what it is: a session ticket is no answer. */
  private boolean isSilent() throws IOException {
    int timeout = transport.socket().getSoTimeout();
    transport.socket().setSoTimeout(1);
    try {
      in.read();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } finally {
      transport.socket().setSoTimeout(timeout);
    }
  }

  /**
   * Sends a request, piece by piece. Stops early, as RFC 9112 section 9.5 wants, if an answer
   * refuses the body while it is being sent. Any other answer may begin before the body has ended,
   * and come to its end only after it.
   *
   * @param pair sends it twice, in one write: without a body
   * @return whether all of it was sent
   */
  public boolean send(Request request, boolean pair) throws IOException {
    byte[] head = request.head();
    if (pair) {
      head = Arrays.copyOf(head, 2 * head.length);
      System.arraycopy(head, 0, head, head.length / 2, head.length / 2);
    }
    out.write(head);
    headSent = System.nanoTime();
    for (byte[] piece : request.body()) {
      pause(request.gap());
      if (reader.refusesBody()) {
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

  /** When the head of the last request was written, as {@link System#nanoTime()}. */
  long headSent() {
    return headSent;
  }

  public Reply receive() {
    return reader.read();
  }

  /** Reads the head of an answer that has no end, and returns its status. */
  public int receiveHead() throws IOException {
    return new WebSocketReader(in, out).handshake();
  }

  /** After a WebSocket's handshake was sent: reads to its end. */
  Reply receiveWebSocket() {
    return new WebSocketReader(in, out).read();
  }

  /**
   * Returns whether the server has ended the connection, which was idle, by a FIN and nothing else.
   */
  public boolean endedByFin() {
    try {
      return !reader.hasBytes() && transport.channel().read(ByteBuffer.allocate(1)) < 0;
    } catch (IOException reset) {
      return false;
    }
  }

  @Override
  public void close() {
    try {
      transport.channel().close();
    } catch (IOException e) {
      // The answer has been judged; how its connection ends no longer matters to anyone.
    }
  }
}
