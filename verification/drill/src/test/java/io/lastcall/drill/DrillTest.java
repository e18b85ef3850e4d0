package io.lastcall.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.cluster.PhaseLog;
import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.PodPhase;
import io.lastcall.rollout.load.Outcome;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole drill against real processes, with real signals, in miniature. */
@Timeout(300)
class DrillTest {
  private final Path folder;

  DrillTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private String[] options(Class<?> main) throws Exception {
    return options(main, "30s");
  }

  /** A jar that only points at the test's own classes. */
  private String[] options(Class<?> main, String grace) throws Exception {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, main.getName());
    attributes.put(
        Attributes.Name.CLASS_PATH,
        main.getProtectionDomain().getCodeSource().getLocation().toURI().toString());
    Path jar = folder.resolve("stub/target/stub.jar");
    Files.createDirectories(jar.getParent());
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return new String[] {
      "--servers=stub",
      "--examples=" + folder,
      "--output=" + folder.resolve("page.html"),
      "--naive=false",
      "--rate=200",
      "--nodes=8",
      "--grace=" + grace,
      "--delay=100ms",
      "--max-lateness=1s",
      "--longest-work=200ms",
      "--warm-up=100ms",
      "--step=100ms",
      "--tail=100ms"
    };
  }

  private DrillSettings settings(Class<?> main) throws Exception {
    return CommandLine.parse(options(main));
  }

  @Test
  void main_exitStatus_saysWhetherItWasLostOrNotRun() throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    assertEquals(0, RollingUpdate.run(out, out, "--help"));
    assertEquals(2, RollingUpdate.run(out, out, "--sedes=1"));
    assertEquals(1, RollingUpdate.run(out, out, options(StubPod.class)));
    assertTrue(Files.exists(folder.resolve("page.html")));
    String last = said.toString(StandardCharsets.UTF_8).lines().reduce("", (before, line) -> line);
    assertTrue(last.startsWith("stub     with    Lastcall: "), "the verdict is last, not: " + last);
    Files.delete(folder.resolve("page.html"));
    assertEquals(2, RollingUpdate.run(out, out, options(StubPod.Dying.class)));
    assertTrue(
        said.toString(StandardCharsets.UTF_8).contains("The drill could not be run to its end: "));
    assertFalse(Files.exists(folder.resolve("page.html")), "nothing has run");
  }

  @Test
  void main_serverThatDoesNotStart_behindOneThatLost_showsTheLosses() throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    options(StubPod.Dying.class);
    Path dying = folder.resolve("dying/target/dying.jar");
    Files.createDirectories(dying.getParent());
    Files.move(folder.resolve("stub/target/stub.jar"), dying);
    String[] options = options(StubPod.class);
    options[0] = "--servers=stub,dying";

    assertEquals(1, RollingUpdate.run(out, out, options));

    String text = said.toString(StandardCharsets.UTF_8);
    assertTrue(text.contains("The drill could not be run to its end: "), text);
    assertTrue(text.contains("stub     with    Lastcall: "), text);
    assertFalse(text.contains("dying    with"), text);
    assertTrue(Files.exists(folder.resolve("page.html")));
  }

  @Test
  void run_podsThatDieAtSigterm_loseRequests_andEveryRequestIsAccountedFor() throws Exception {
    DrillResult result = Drill.run(settings(StubPod.class));

    RunResult run = result.runs().get(0);
    assertFalse(result.passed());
    assertTrue(run.count(Outcome.REFUSED) > 0, () -> ResultTable.of(result));
    assertEquals(
        run.exchanges().size(),
        run.count(Outcome.OK) + run.failures().values().stream().mapToLong(count -> count).sum());
    assertEquals(
        List.of(143, 143),
        run.terminations().stream().map(PodHistory.Termination::exitCode).toList());
    // With the library a JVM does not go by its own hook.
    assertEquals(run.terminations(), run.uncleanExits());
    // A replacement never loses anything.
    assertTrue(run.lost().stream().allMatch(exchange -> exchange.pod() < 2));
    assertTrue(HtmlPage.of(result).contains("pod 4"));
  }

  @Test
  void run_podsThatIgnoreSigterm_areKilledAtTheEndOfTheGracePeriod() throws Exception {
    String[] options = options(StubPod.Stuck.class, "2s");
    DrillResult result = Drill.run(CommandLine.parse(options));

    assertFalse(result.passed());
    for (PodHistory.Termination end : result.runs().get(0).terminations()) {
      assertTrue(end.killed());
      assertEquals(137, end.exitCode());
      assertTrue(end.secondsToExit() >= 2, () -> end.secondsToExit() + " s");
      assertEquals(
          List.of(PodPhase.DRAIN), end.phases().stream().map(PhaseLog.Mark::phase).toList());
    }
  }

  @Test
  void run_podThatNeverGetsReady_isRefusedWithItsLog() throws Exception {
    DrillSettings settings = settings(StubPod.Dying.class);

    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> Drill.run(settings));

    assertTrue(
        String.valueOf(refused.getMessage()).contains("stub-lastcall-seed1-pod1.log"),
        refused::getMessage);
    Path log = folder.resolve("rolling-update-logs/stub-lastcall-seed1-pod1.log");
    String last = Files.readString(log); // a note of the JVM's options comes before it
    assertTrue(last.endsWith("no database\n"), last);
  }
}
