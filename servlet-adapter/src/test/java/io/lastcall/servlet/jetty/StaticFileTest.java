package io.lastcall.servlet.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.servlet.RawClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.ee11.servlet.DefaultServlet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Jetty's own servlet sends, in its own ways. */
@Timeout(30)
class StaticFileTest {
  /** More than the kernel's buffers hold. */
  private static final int FILE = 20_000_000;

  private final JettyFixture jetty = new JettyFixture();

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    Files.write(directory.resolve("file.bin"), new byte[FILE]);
    jetty.context.setBaseResourceAsPath(directory);
    jetty.context.addServlet(DefaultServlet.class, "/");
    jetty.start();
  }

  @AfterEach
  void stop() throws Exception {
    jetty.stop();
  }

  @Test
  void drain_idleAfterAFile_isNotWaitedFor() throws Exception {
    try (RawClient client = jetty.client()) {
      assertEquals(FILE, client.exchange("/file.bin").body().length());
      jetty.drain().get();
    }
  }

  @Test
  void drain_fileBeingSent_isWaitedFor() throws Exception {
    try (RawClient client = jetty.client().get("/file.bin")) {
      client.readHead();
      CompletableFuture<?> ended = jetty.drain();
      assertEquals(FILE, client.skip(FILE));
      ended.get();
      jetty.awaitCounted(1);
    }
  }
}
