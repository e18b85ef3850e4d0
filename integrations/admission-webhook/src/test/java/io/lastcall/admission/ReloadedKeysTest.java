package io.lastcall.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ReloadedKeysTest {

  @Test
  void handshake_afterTheFilesHaveChanged_hasTheNewCertificate(@TempDir Path folder)
      throws Exception {
    try (FakeCluster cluster = new FakeCluster(folder);
        RunningWebhook webhook = RunningWebhook.start(cluster, false)) {
      int port = webhook.port();
      X509Certificate first = certificate(port);
      String key = Files.readString(folder.resolve("tls.key"));
      Files.writeString(folder.resolve("tls.key"), key.substring(0, 40));
      assertEquals(first, certificate(port), "half of a key is no key");
      FakeCluster.certify(folder);
      assertNotEquals(first, certificate(port));
    }
  }

  @Test
  void start_withoutACertificate_isRefused(@TempDir Path folder) throws Exception {
    Files.writeString(folder.resolve("tls.crt"), "");
    Files.writeString(folder.resolve("tls.key"), "-----BEGIN RSA PRIVATE KEY-----");
    IOException refusal = assertThrows(IOException.class, () -> new ReloadedKeys(folder));
    assertEquals("tls.crt has no certificate, or tls.key no key in PKCS#8", refusal.getMessage());
  }

  /** Returns the certificate that a new connection is shown. */
  private static X509Certificate certificate(int port) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    Recorder recorder = new Recorder();
    context.init(null, new TrustManager[] {recorder}, new SecureRandom());
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
    }
    return Objects.requireNonNull(recorder.seen);
  }

  private static final class Recorder implements X509TrustManager {
    @Nullable X509Certificate seen;

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      seen = chain[0];
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
