package io.lastcall.netty;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.InputStream;
import java.security.KeyStore;
import java.util.Objects;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS between a test and its server: a certificate for 127.0.0.1, and a client that trusts it. */
final class Loopback {
  private static final char[] PASSWORD = "loopback".toCharArray();

  private Loopback() {}

  /** Offers h2 and http/1.1 by ALPN. */
  static SslContext server() throws Exception {
    KeyManagerFactory identity =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    identity.init(keys(), PASSWORD);
    return SslContextBuilder.forServer(identity)
        .applicationProtocolConfig(
            new ApplicationProtocolConfig(
                ApplicationProtocolConfig.Protocol.ALPN,
                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                ApplicationProtocolNames.HTTP_2,
                ApplicationProtocolNames.HTTP_1_1))
        .build();
  }

  static SSLContext client() throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("test", keys().getCertificate("test"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext client = SSLContext.getInstance("TLS");
    client.init(null, trust.getTrustManagers(), null);
    return client;
  }

  private static KeyStore keys() throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Loopback.class.getResourceAsStream("/loopback.p12")) {
      keys.load(Objects.requireNonNull(file), PASSWORD);
    }
    return keys;
  }
}
