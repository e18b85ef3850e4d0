package io.lastcall.rollout.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * An open connection, plain or with TLS.
 *
 * @param channel the connection below TLS
 * @param socket reads and writes what the application sees
 */
record Transport(SocketChannel channel, Socket socket) {
  private static final SSLContext ANY_CERTIFICATE = anyCertificate();

  boolean isTls() {
    return socket instanceof SSLSocket;
  }

  /**
   * Connects.
   *
   * @throws java.net.ConnectException if nobody listens
   */
  static Transport open(InetSocketAddress address, LoadSettings settings) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      int timeout = millis(settings.timeout());
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().setSoTimeout(timeout);
      channel.socket().connect(address, timeout);
      return new Transport(
          channel, settings.tls() ? tls(channel.socket(), settings.http2()) : channel.socket());
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static int millis(Duration timeout) {
    return (int) Math.max(1, timeout.toMillis());
  }

  private static SSLSocket tls(Socket socket, boolean http2) throws IOException {
    SSLSocket secured =
        (SSLSocket)
            ANY_CERTIFICATE
                .getSocketFactory()
                .createSocket(socket, "localhost", socket.getPort(), true);
    SSLParameters parameters = secured.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {http2 ? "h2" : "http/1.1"});
    secured.setSSLParameters(parameters);
    secured.startHandshake();
    return secured;
  }

  /** The services under test are on this machine, with certificates that they made themselves. */
  private static SSLContext anyCertificate() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new TrustsAll()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The JDK has no TLS", e);
    }
  }

  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
