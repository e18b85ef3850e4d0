package io.lastcall.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A self-signed certificate for {@code localhost}, made for a test, and a client that trusts it.
 */
public final class TestKeys {
  public static final String SECRET = "changeit";

  private static byte @Nullable [] shared;

  private TestKeys() {}

  /** Writes a key pair; all tests of a JVM have the same, since to make one takes a second. */
  public static synchronized void make(Path file) throws Exception {
    byte[] made = shared;
    if (made == null) {
      makeNew(file);
      shared = Files.readAllBytes(file);
    } else {
      Files.write(file, made);
    }
  }

  /** Writes a key pair that no other test has. */
  public static void makeNew(Path file) throws Exception {
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process made =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                "test",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=IP:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-storepass",
                SECRET,
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(made.waitFor(60, TimeUnit.SECONDS), said);
    assertEquals(0, made.exitValue(), said);
  }

  public static SSLContext trust(Path keys) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = new FileInputStream(keys.toFile())) {
      store.load(in, SECRET.toCharArray());
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
