package io.lastcall;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.plan.ReportLog;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a shutdown leaves behind: in the log, in the termination message, in a file. */
@Timeout(120)
class RecordsTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  @TempDir private Path folder = Path.of("");

  @Test
  void log_ofACleanShutdown_isThreeLines() {
    harness
        .builder()
        .server(
            new FakeServer("web", harness) {
              {
                connectionsEnded.complete(null);
              }
            });
    harness.install();
    String before = log.text();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();

    String text = log.text().substring(before.length());
    long infos = text.lines().filter(line -> line.startsWith("INFO ")).count();
    assertEquals(3, infos, text);
    assertFalse(text.contains("WARN "), text);
    log.assertLogged(
        "INFO GracefulShutdown - trigger=STOP_SIGNAL Shutdown begun by SIGTERM, gone by ");
    log.assertLogged(" at the latest (29 s). Serving on for 15 s while routers learn.");
    log.assertLogged("phase=FAIL_READINESS planned_ms=0 Readiness fails now (/readyz 503)");
    log.assertLogged(
        "outcome=CLEAN exit_code=0 took_ms=15000 served=0 late=0 refused=0 abandoned=0 Shutdown"
            + " clean after 15000 ms (SIGTERM), exit code 0\n");
  }

  @Test
  void log_oneLine_isOneLine() {
    harness.builder().reportLog(ReportLog.ONE_LINE);
    harness.terminate();
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    log.assertLogged(
        "Shutdown clean after 15000 ms (SIGTERM), exit code 0; KEEP_SERVING 15 s, FAIL_READINESS 0"
            + " ms, DRAIN 0 ms, CLOSE_CONNECTIONS 0 ms, EXIT 0 ms; requests served 0, late 0,"
            + " refused 0, abandoned 0 since the trigger\n");
  }

  @Test
  void reportFile_ofACleanShutdown_holdsTheReport() throws IOException {
    Path file = folder.resolve("report.json");
    harness.builder().reportFile(file);
    harness.install();
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    harness.ticker.advanceTo(Duration.ofMillis(6_250));
    assertTrue(harness.enter("GET /later").release());
    harness.pass(11_250);
    harness.pass(15_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());

    String json = Files.readString(file);
    assertTrue(json.startsWith("{\"schema\":2,\"outcome\":\"CLEAN\",\"exitCode\":0,"), json);
    assertTrue(json.contains("\"lastArrival\":6250"), json);
  }

  @Test
  void reportFile_everythingTookAllItsTime_isWrittenAndListenersAreTold() throws IOException {
    Path file = folder.resolve("report.json");
    FakeServer stuck =
        new FakeServer("web", harness) {
          @Override
          public void stop(Deadline deadline) {
            Harness.hang();
          }
        };
    stuck.connectionsEnded.complete(null);
    harness.builder().reportFile(file).server(stuck);
    harness.drainInVain();
    harness.pass(28_250);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());

    assertEquals(1, harness.report().requests().abandoned());
    assertEquals(harness.report().json(), Files.readString(file));
  }

  /** A pipe that nobody reads: who opens it waits. */
  @Test
  void reportFile_hangs_keepsNobodyElseFromBeingToldAndNotTheExit()
      throws IOException, InterruptedException {
    Path pipe = folder.resolve("report.json");
    assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
    harness.builder().reportFile(pipe);
    GracefulShutdown shutdown = harness.terminate();
    harness.passKeepServing();

    ShutdownReport report = harness.report();
    assertEquals(report, Harness.result(shutdown.begin("again")));
    assertTrue(harness.jvm.runs());
    harness.pass(16_000);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    log.assertLogged("The report file is not written in time");
    awaitWrittenTo(pipe, "\"outcome\":\"CLEAN\"");
  }

  /** Lets go of whoever waits for a reader. */
  private static void awaitWrittenTo(Path pipe, String part) throws IOException {
    StringBuilder text = new StringBuilder();
    try (FileChannel reader =
        FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
      while (text.indexOf(part) < 0) {
        reader.read(bytes);
        text.append(UTF_8.decode(bytes.flip()));
        bytes.clear();
      }
    }
  }

  @Test
  void install_reportFileThatCannotBe_isToldAtOnce() {
    harness.builder().reportFile(folder.resolve("missing").resolve("report.json"));
    harness.install().uninstall();
    log.assertLogged(
        "report-file=%s cannot be written as things are; allowed: a file in a directory that exists"
            .formatted(folder.resolve("missing").resolve("report.json")));
  }

  @Test
  void install_planIsRefused_leavesTheSumInTheTerminationMessage() throws IOException {
    Path termination = Files.createFile(folder.resolve("termination-log"));
    harness.jvm.terminationMessage(termination);
    harness.environment.put("LASTCALL_DRAIN_TIMEOUT", "30s");
    Exception refusal = assertThrows(IllegalArgumentException.class, harness::install);
    String message = Files.readString(termination);
    assertEquals("install(): " + refusal.getMessage(), message);
    assertTrue(message.contains("the smallest that fits"), message);
  }

  /** A JVM hook of somebody else hangs after the report was written as clean. */
  @Test
  void halt_hookOfOthersHangs_recordsSayHaltedAndNameTheHook() throws IOException {
    Path termination = Files.createFile(folder.resolve("termination-log"));
    Path file = folder.resolve("report.json");
    harness.jvm.terminationMessage(termination);
    harness.jvm.addHook(new Thread(Harness::hang, "a hook that hangs"));
    harness.builder().reportFile(file);
    harness.terminate();
    harness.passKeepServing();
    Harness.awaitWaiting("a hook that hangs");
    assertTrue(Files.readString(termination).startsWith("Shutdown clean"));

    passWatch(28_600);
    log.awaitLogged("JVM hooks of others that still run:");
    passWatch(28_900);
    Awaitility.await().until(() -> Files.readString(file).contains("a hook that hangs"));
    String json = Files.readString(file);
    assertTrue(json.startsWith("{\"schema\":2,\"outcome\":\"HALTED\",\"exitCode\":81,"), json);
    String message = Files.readString(termination);
    assertTrue(message.startsWith("Shutdown HALTED at the deadline, exit code 81: "), message);
    assertTrue(message.contains("thread a hook that hangs:"), message);
    assertTrue(message.contains("Shutdown clean"), message);
    harness.ticker.advanceTo(Duration.ofSeconds(29));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  @Test
  void halt_sequenceHangs_recordsSayHaltedAndNameThePhase() throws IOException {
    Path termination = Files.createFile(folder.resolve("termination-log"));
    Path file = folder.resolve("report.json");
    harness.jvm.terminationMessage(termination);
    FakeServer server = new FakeServer("web", harness);
    server.connections.add(Harness::hang);
    harness.builder().reportFile(file).server(server);
    harness.terminate();
    harness.passKeepServingWithConnections();

    passWatch(28_600);
    log.awaitLogged("KEEP_SERVING is late");
    passWatch(28_900);
    Awaitility.await().until(() -> Files.readString(file).contains("HALTED"));
    assertTrue(Files.readString(file).contains("\"phase\":\"KEEP_SERVING\""));
    assertTrue(Files.readString(termination).contains("KEEP_SERVING is late"));
    harness.ticker.advanceTo(Duration.ofSeconds(29));
    assertEquals(new Ending("halt", 81), harness.jvm.awaitEnding());
  }

  private void passWatch(long millis) {
    Duration then = Duration.ofMillis(millis);
    harness.ticker.awaitParkedUntil("lastcall-watch", then);
    harness.ticker.advanceTo(then);
  }

  @Test
  void log_ofADrainThatWaits_saysEveryFiveSecondsForWhat() {
    harness.install();
    harness.enter("GET /slow");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    passWatch(20_000);
    harness.ticker.awaitParkedUntil("lastcall-watch", Duration.ofSeconds(25));
    log.assertLogged(
        "DRAIN has waited for 5 s; 1 request in flight, the oldest GET /slow, 1500 ms old");
  }
}
