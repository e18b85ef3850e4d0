package io.lastcall.rollout;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command's exit status, and that it leaves no process. */
@Timeout(300)
class RolloutCommandTest {
  private final Path folder;

  RolloutCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private List<String> arguments(String mutant, String... more) {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--get=/fast@60", "--last-router-leaves=2s", "--grace=8s"));
    arguments.add("--output=" + folder);
    arguments.addAll(List.of(more));
    arguments.add("--");
    arguments.addAll(Services.java(Service.class, mutant));
    return arguments;
  }

  @Test
  void run_noVerdict_isThree() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);

    List<String> arguments = arguments("FAILS_ON_KEPT_CONNECTIONS");
    int status = RolloutCommand.run(out, out, arguments.toArray(String[]::new));

    String text = said.toString(StandardCharsets.UTF_8);
    assertEquals(3, status, text);
    assertTrue(text.contains("Once more, at half of the rate."), text);
    assertTrue(text.contains("requests failed before the first SIGTERM"), text);
  }

  /** A loss, or no verdict where this machine is too busy; never green. */
  @Test
  void run_loss_isOne() {
    PrintStream out = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);

    List<String> arguments = arguments("UNAVAILABLE");
    int status = RolloutCommand.run(out, out, arguments.toArray(String[]::new));

    assertTrue(status == 1 || status == 3, "status " + status);
  }

  @Test
  void sigterm_inTheMiddle_leavesNoProcess() throws Exception {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    words.add(RolloutCommand.class.getName());
    words.addAll(arguments("HANGS"));
    Path log = folder.resolve("command.log");
    Process command =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> Files.readString(log).contains("pod 1 terminates"));

      command.toHandle().destroy();

      assertTrue(command.waitFor(60, TimeUnit.SECONDS));
      await().atMost(Duration.ofSeconds(60)).until(() -> !Services.isAnyLeft());
    } finally {
      command.destroyForcibly();
    }
    assertFalse(Services.isAnyLeft());
  }
}
