package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the container's own servlet sends, in its own ways. */
public abstract class StaticFileContract<C extends ContainerFixture> extends ContainerContract<C> {
  /** More than the kernel's buffers hold. */
  private static final int LENGTH = 20_000_000;

  /** Serves the files of {@code directory}. */
  protected abstract void serveFiles(Path directory) throws IOException;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    Files.write(directory.resolve("file.bin"), new byte[LENGTH]);
    serveFiles(directory);
    container.start();
  }

  @Test
  void drain_idleAfterAFile_isNotWaitedFor() throws Exception {
    try (RawClient client = container.client()) {
      assertEquals(LENGTH, client.exchange("/file.bin").body().length());
      container.drain().get();
    }
  }

  @Test
  void drain_fileBeingSent_isWaitedFor() throws Exception {
    try (RawClient client = container.client().get("/file.bin")) {
      client.readHead();
      assertEquals(1, container.inFlight());
      CompletableFuture<?> ended = container.drain();
      assertEquals(LENGTH, client.skip(LENGTH));
      ended.get();
      container.awaitCounted(1);
    }
  }
}
