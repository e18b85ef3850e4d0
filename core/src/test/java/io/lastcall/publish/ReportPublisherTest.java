package io.lastcall.publish;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.phase.Phase;
import java.io.IOException;
import java.lang.reflect.Proxy;
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
    new ReportPublisher(message, Optional.of(report)).halted(Optional.of(Phase.DRAIN), "a hang");
    assertEquals(
        "Shutdown HALTED at the deadline, exit code 81: a hang", Files.readString(message));
    assertEquals(
        "{\"schema\":2,\"outcome\":\"HALTED\",\"exitCode\":81,\"phase\":\"DRAIN\","
            + "\"problems\":[\"a hang\"]}",
        Files.readString(report).strip());
  }

  @Test
  void halted_noMemoryToWrite_isNotThrownAtTheWatch() {
    Path full =
        (Path)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {Path.class},
                (proxy, method, arguments) -> {
                  throw new OutOfMemoryError("heap");
                });
    ReportPublisher publisher = new ReportPublisher(full, Optional.empty());
    assertDoesNotThrow(() -> publisher.halted(Optional.empty(), "a hang"));
  }
}
