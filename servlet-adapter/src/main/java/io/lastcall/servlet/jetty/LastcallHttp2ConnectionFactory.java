package io.lastcall.servlet.jetty;

import org.eclipse.jetty.http2.HTTP2Cipher;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.HTTP2Stream;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.api.server.ServerSessionListener;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.PingFrame;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * Jetty's HTTP/2, able to end a connection the way RFC 9113, section 6.8 describes: a first GOAWAY
 * that only announces, the last one when every stream is answered. Add it to a {@link
 * LastcallConnector}, after ALPN for TLS or after {@code HttpConnectionFactory} for clear text.
 * WebSockets come by HTTP/1.1: those over HTTP/2 (RFC 8441) are not offered.
 */
public final class LastcallHttp2ConnectionFactory extends HTTP2CServerConnectionFactory {

  /** Creates the factory for {@code h2} and {@code h2c}, with Jetty's defaults. */
  public LastcallHttp2ConnectionFactory(HttpConfiguration configuration) {
    super(configuration, "h2", "h2c");
  }

  /**
   * No, whatever is set: a WebSocket on a stream of HTTP/2 has no connection of its own whose end
   * would be its end.
   */
  @Override
  public boolean isConnectProtocolEnabled() {
    return false;
  }

  /** What Jetty's factory for TLS answers; the one for clear text, above it, refuses TLS. */
  @Override
  public boolean isAcceptable(String protocol, String tlsProtocol, String tlsCipher) {
    return !(HTTP2Cipher.isBlackListProtocol(tlsProtocol)
        && HTTP2Cipher.isBlackListCipher(tlsCipher));
  }

  @Override
  protected ServerSessionListener newSessionListener(Connector connector, EndPoint endPoint) {
    DrainingEndPoint draining = DrainingEndPoint.of(endPoint);
    return draining == null
        ? super.newSessionListener(connector, endPoint)
        : new Listener(endPoint, draining);
  }

  private final class Listener extends HTTPServerSessionListener {
    private final DrainingEndPoint endPoint;

    private volatile @Nullable DrainingSession draining;

    Listener(EndPoint highest, DrainingEndPoint endPoint) {
      super(highest);
      this.endPoint = endPoint;
    }

    /** The client's preface is complete, and ours is on its way: nothing may come before that. */
    @Override
    public void onSettings(Session session, SettingsFrame frame) {
      super.onSettings(session, frame);
      if (draining == null) {
        DrainingSession created = new DrainingSession((HTTP2Session) session, endPoint);
        draining = created;
        endPoint.speaks(created);
      }
    }

    @Override
    public void onPing(Session session, PingFrame frame) {
      super.onPing(session, frame);
      DrainingSession known = draining;
      if (known != null) {
        known.pinged(frame);
      }
    }

    @Override
    public Stream.@Nullable Listener onNewStream(Stream stream, HeadersFrame frame) {
      // Jetty sets what this method returns, when the stream may be over already.
      ((HTTP2Stream) stream).setListener(this);
      return super.onNewStream(stream, frame);
    }

    /** The last byte of its response has been written. */
    @Override
    public void onClosed(Stream stream) {
      super.onClosed(stream);
      DrainingSession known = draining;
      if (known != null) {
        known.leaving.check();
      }
    }
  }
}
