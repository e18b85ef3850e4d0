package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.TlsContract;
import io.lastcall.testing.TestKeys;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

class JettyTlsTest extends TlsContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture(this::firstRequest);
  }

  @Override
  protected void start(Path keys) throws Exception {
    SslContextFactory.Server tls = new SslContextFactory.Server();
    tls.setKeyStorePath(keys.toString());
    tls.setKeyStorePassword(TestKeys.SECRET);
    HttpConfiguration configuration = new HttpConfiguration();
    ALPNServerConnectionFactory alpn = new ALPNServerConnectionFactory();
    alpn.setDefaultProtocol("http/1.1");
    ConnectionFactory first = first(new SslConnectionFactory(tls, alpn.getProtocol()));
    container.connector.setConnectionFactories(
        List.of(
            first,
            alpn,
            new LastcallHttp2ConnectionFactory(configuration),
            new HttpConnectionFactory(configuration)));
    container.connector.setDefaultProtocol(first.getProtocol());
    container.start();
  }

  /** What a connection begins with. */
  ConnectionFactory first(SslConnectionFactory tls) {
    return tls;
  }
}
