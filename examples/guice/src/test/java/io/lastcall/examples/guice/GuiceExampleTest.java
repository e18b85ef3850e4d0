package io.lastcall.examples.guice;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GuiceExampleTest {
  private Optional<Process> process = Optional.empty();

  @AfterEach
  void kill() {
    process.ifPresent(Process::destroyForcibly);
  }

  @Test
  void sigterm_annotatedSingletons_areEndedOnceInPhaseOrder()
      throws IOException, InterruptedException {
    Process example = start();
    try (BufferedReader output = example.inputReader(StandardCharsets.UTF_8)) {
      String line = output.readLine();
      while (!"ready".equals(line)) {
        assertTrue(line != null, "it ended before it was ready");
        line = output.readLine();
      }
      example.toHandle().destroy(); // SIGTERM; Process.destroy() would close the output too
      assertEquals(
          List.of("consumers stopped", "pool closed", "journal closed"), output.lines().toList());
    }
    assertTrue(example.waitFor(60, TimeUnit.SECONDS));
    assertEquals(143, example.exitValue()); // no server: as without the library
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "-Dlastcall.propagation-delay=0s",
            GuiceExample.class.getName());
    builder.redirectError(ProcessBuilder.Redirect.INHERIT);
    Process started = builder.start();
    process = Optional.of(started);
    return started;
  }
}
