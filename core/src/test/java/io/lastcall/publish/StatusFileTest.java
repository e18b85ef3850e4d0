package io.lastcall.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.lastcall.process.CapturedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class StatusFileTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  @TempDir private Path folder = Path.of("");

  private static void write(String message, Path file) {
    StatusFile.terminationMessage(file).writeNow(message);
  }

  @Test
  void write_fileIsThere_replacesItsContent() throws IOException {
    Path file = Files.writeString(folder.resolve("termination-log"), "something much longer");
    write("clean ✓", file);
    assertEquals("clean ✓", Files.readString(file));
  }

  /** As a halt would leave it, at whatever moment it comes. */
  @Test
  void write_atNoMoment_isTheFileEmpty() throws Exception {
    Path file = Files.writeString(folder.resolve("termination-log"), "begun");
    StatusFile record = StatusFile.terminationMessage(file);
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(
            () -> {
              while (!over.get()) {
                record.writeNow("Shutdown HALTED at the deadline");
                record.writeNow("clean");
              }
            });
    try {
      for (int look = 0; look < 20_000; look++) {
        assertNotEquals(0, Files.size(file));
      }
    } finally {
      over.set(true);
      writer.join();
    }
    assertEquals("clean", Files.readString(file));
  }

  @Test
  void write_noFile_doesNothing() {
    Path file = folder.resolve("termination-log");
    write("clean", file);
    assertFalse(Files.exists(file));
  }

  @Test
  void write_tooLong_isCutAt4096Bytes() throws IOException {
    Path file = Files.createFile(folder.resolve("termination-log"));
    write("x".repeat(5000), file);
    assertEquals(4096, Files.size(file));
  }

  @Test
  void write_limitWithinACharacter_isCutBeforeIt() throws IOException {
    Path file = Files.createFile(folder.resolve("termination-log"));
    write("x".repeat(4095) + "é and more", file);
    assertEquals(4095, Files.size(file));
    write("x".repeat(4094) + "é and more", file);
    assertEquals(4096, Files.size(file));
    write("x".repeat(4095) + "✓", file);
    assertEquals(4095, Files.size(file));
  }

  @Test
  void write_aFolder_changesNothingForTheShutdown() {
    write("clean", folder);
    log.assertLogged("Could not write " + folder);
  }
}
