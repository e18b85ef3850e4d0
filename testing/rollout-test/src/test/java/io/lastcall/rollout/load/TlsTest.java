package io.lastcall.rollout.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  private final Path folder;

  TlsTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private HttpsServer server() throws Exception {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-dname",
                "CN=somewhere.else",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertEquals(0, keytool.waitFor());
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
    factory.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/fast",
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write("ok".getBytes(StandardCharsets.US_ASCII));
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void call_selfSignedForAnotherHost_isAnswered_andTheConnectionIsReusedUntilItEnds()
      throws Exception {
    HttpsServer server = server();
    LoadSettings settings =
        new LoadSettings(false, true, 3, true, Duration.ofSeconds(30), Duration.ofSeconds(30));
    ExecutorService none = Executors.newCachedThreadPool();
    try (Client client =
        Client.of(settings, (choice, now) -> 0, pod -> server.getAddress(), none)) {
      assertFalse(one(client).reused());
      assertTrue(one(client).reused());
    } finally {
      server.stop(0);
      none.shutdown();
    }
  }

  private static Exchange one(Client client) {
    Exchange exchange = client.call(new Arrival(0, 0, Ask.FAST, true, 0), System.nanoTime()).get(0);
    assertEquals(Outcome.OK, exchange.outcome(), exchange::detail);
    return exchange;
  }
}
