package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HotSpotTest {
  @TempDir Path proc = Path.of(".");

  /** Bound, it would come whenever a recording takes a sample. */
  @Test
  void bind_signalOfTheJvmsOwn_isUnusable() {
    Jvm.Binding binding = HotSpot.INSTANCE.bind("USR2", () -> {});
    binding.undo().run();

    assertEquals(Jvm.Status.UNUSABLE, binding.status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"sh", "bash", "dash", "ash", "ksh", "zsh"})
  void shellAsInit_shellIsPid1AndParent_isItsName(String shell) throws IOException {
    write("7 (java) S 1 7 7 0 -1", shell);
    assertEquals(Optional.of(shell), HotSpot.shellAsInit(proc));
  }

  @Test
  void shellAsInit_scriptIsPid1_isItsInterpreter() throws IOException {
    write("7 (java) S 1 7 7 0 -1", "entrypoint.sh");
    Files.writeString(proc.resolve("1/cmdline"), "/bin/bash\0./entrypoint.sh\0");
    assertEquals(Optional.of("bash"), HotSpot.shellAsInit(proc));
  }

  @Test
  void shellAsInit_nameWithSpacesAndParentheses_readsTheParentBehindIt() throws IOException {
    write("7 (my (odd) java) S 1 7 7 0 -1", "sh");
    assertEquals(Optional.of("sh"), HotSpot.shellAsInit(proc));
  }

  @Test
  void shellAsInit_anotherParent_isNone() throws IOException {
    // tini, an exec'd launcher: whoever is between may pass the signal on.
    write("9 (java) S 7 7 7 0 -1", "sh");
    assertEquals(Optional.empty(), HotSpot.shellAsInit(proc));
  }

  @Test
  void shellAsInit_javaIsPid1_isNone() throws IOException {
    write("1 (java) S 0 1 1 0 -1", "java");
    assertEquals(Optional.empty(), HotSpot.shellAsInit(proc));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tini", "dumb-init", "systemd", "shim"})
  void shellAsInit_initThatPassesSignalsOn_isNone(String init) throws IOException {
    write("7 (java) S 1 7 7 0 -1", init);
    assertEquals(Optional.empty(), HotSpot.shellAsInit(proc));
  }

  @Test
  void shellAsInit_noProc_isNone() {
    assertEquals(Optional.empty(), HotSpot.shellAsInit(proc.resolve("none")));
  }

  @Test
  void shellAsInit_unreadableStat_isNone() throws IOException {
    write("nonsense", "sh");
    assertEquals(Optional.empty(), HotSpot.shellAsInit(proc));
  }

  private void write(String stat, String init) throws IOException {
    Files.createDirectories(proc.resolve("self"));
    Files.createDirectories(proc.resolve("1"));
    Files.writeString(proc.resolve("self/stat"), stat + "\n");
    Files.writeString(proc.resolve("1/comm"), init + "\n");
    Files.writeString(proc.resolve("1/cmdline"), "/opt/" + init + "\0--flag\0");
  }
}
