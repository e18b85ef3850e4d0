package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.servlet.RawClient;
import io.undertow.server.handlers.resource.PathResourceManager;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What Undertow's own servlet sends, in its own ways. */
@Timeout(30)
class StaticFileTest {
  /** More than the kernel's buffers hold. */
  private static final int FILE = 20_000_000;

  private UndertowFixture undertow;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    Files.write(directory.resolve("file.bin"), new byte[FILE]);
    undertow = new UndertowFixture();
    undertow.deployment.setResourceManager(new PathResourceManager(directory));
    undertow.start();
  }

  @AfterEach
  void stop() {
    undertow.close();
  }

  @Test
  void drain_idleAfterAFile_isNotWaitedFor() throws Exception {
    try (RawClient client = undertow.client()) {
      assertEquals(FILE, client.exchange("/file.bin").body().length());
      undertow.drain().get();
    }
  }

  @Test
  void drain_fileBeingSent_isWaitedFor() throws Exception {
    try (RawClient client = undertow.client().get("/file.bin")) {
      client.readHead();
      CompletableFuture<?> ended = undertow.drain();
      assertEquals(FILE, client.skip(FILE));
      ended.get();
      undertow.awaitCounted(1);
    }
  }
}
