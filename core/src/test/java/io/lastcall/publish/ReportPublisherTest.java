package io.lastcall.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.phase.Phase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportPublisherTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void halted_beforeTheReport_bothFilesSayIt() throws IOException {
    Path message = Files.createFile(folder.resolve("termination-log"));
    Path report = folder.resolve("report.json");
    ReportPublisher publisher = new ReportPublisher(message, Optional.of(report));
    Runnable records = publisher.halted(Optional.of(Phase.DRAIN), "a hang");
    assertFalse(Files.exists(report));
    records.run();
    assertEquals(
        "Shutdown HALTED at the deadline, exit code 81: a hang", Files.readString(message));
    assertEquals(
        "{\"schema\":2,\"outcome\":\"HALTED\",\"exitCode\":81,\"phase\":\"DRAIN\","
            + "\"problems\":[\"a hang\"]}",
        Files.readString(report).strip());
  }
}
