package io.lastcall.publish;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HaltedRecordTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void write_inAPhase_replacesTheFileByPhaseAndHeap() throws IOException {
    Path file = Files.writeString(folder.resolve("termination-log"), "x".repeat(200));
    HaltedRecord record = new HaltedRecord(file, "PHASE was late; %%% % of the heap were used\n");
    record.write(Optional.of(Phase.DRAIN));
    assertHolds(file, "DRAIN was late; \\d{3} % of the heap were used\n");
    record.write(Optional.of(Phase.KEEP_SERVING));
    assertHolds(file, "KEEP_SERVING was late; \\d{3} % of the heap were used\n");
  }

  @Test
  void constructor_always_writesOnce() throws IOException {
    Path file = Files.createFile(folder.resolve("termination-log"));
    assertNotNull(new HaltedRecord(file, "PHASE %%%"));
    assertHolds(file, "START \\d{3}");
  }

  private static void assertHolds(Path file, String pattern) throws IOException {
    String text = Files.readString(file);
    assertTrue(text.matches(pattern), text);
  }
}
