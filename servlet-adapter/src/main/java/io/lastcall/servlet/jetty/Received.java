package io.lastcall.servlet.jetty;

import io.lastcall.connection.FirstRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * What a connection has received so far: whole requests, or part of one. Written by whoever has the
 * turn to read.
 */
final class Received {
  private final SocketChannel channel;
  private final FirstRequest firstRequest;
  private final TlsRecords records = new TlsRecords();
  private volatile boolean any;

  Received(SocketChannel channel, FirstRequest firstRequest) {
    this.channel = channel;
    this.firstRequest = firstRequest;
  }

  boolean any() {
    return any;
  }

  void handshake() {
    firstRequest.awaitAnew();
  }

  void request() {
    firstRequest.arrived();
  }

  /** The last {@code count} bytes of {@code buffer}, for {@code connection}. */
  void bytes(Connection connection, ByteBuffer buffer, int count) {
    if (!any) {
      any = true;
    }
    if (connection instanceof SslConnection) {
      tls(buffer, count);
    }
  }

  /** The last {@code count} bytes of {@code buffer} are TLS. */
  void tls(ByteBuffer buffer, int count) {
    records.read(buffer, count);
  }

  /**
   * Returns whether nothing of a request is here or on its way up, where {@code lowest} is what
   * reads the channel. For whoever has the turn.
   */
  boolean isWhole(Connection lowest) throws IOException {
    Connection connection = lowest;
    if (connection instanceof SslConnection tls && any) {
      if (isWithinHandshake(tls.getSSLEngine())
          || records.isWithin()
          || !tls.getSslEndPoint().isFillInterested()) {
        return false;
      }
      connection = tls.getSslEndPoint().getConnection();
    }
    boolean resting = connection instanceof HttpConnection http ? http.getParser().isStart() : !any;
    // Asks the kernel; also where the channel is registered with a selector, on JDK 17 to 25.
    return resting
        && !firstRequest.isAwaited()
        && channel.socket().getInputStream().available() == 0;
  }

  private static boolean isWithinHandshake(SSLEngine engine) {
    return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING
        || "NONE".equals(engine.getSession().getProtocol());
  }
}
