package io.lastcall.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import java.io.File;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The command that reads a rollout's Events, as they are posted. */
@Timeout(120)
class ShutdownsTest {
  private static final Path COMMAND = Path.of("..", "..", "examples", "kubernetes", "shutdowns.sh");
  private static final ObjectRef WEB = new ObjectRef("apps/v1", "Deployment", "web", "88");
  private static final Trigger SIGTERM = new Trigger(Trigger.Kind.STOP_SIGNAL, "SIGTERM");

  private final ShutdownPlan plan =
      GracefulShutdown.builder().propagationDelay(Duration.ofSeconds(15)).plan();
  private final List<String> events = new ArrayList<>();

  @BeforeEach
  void requireJq() {
    assumeTrue(
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "jq"))),
        "There is no jq on the PATH: shutdowns.sh is not tried");
  }

  private void began(int pod) {
    add(pod, PodEvent.began(SIGTERM, plan));
  }

  private void ended(int pod, Outcome outcome, long lastConnectionMillis) {
    add(
        pod,
        PodEvent.reported(
            ShutdownReport.builder(plan, SIGTERM)
                .requests(
                    new RequestTotals(
                        5,
                        0,
                        0,
                        0,
                        0,
                        Optional.empty(),
                        Optional.of(Duration.ofMillis(lastConnectionMillis))),
                    List.of())
                .exit(outcome, 0, true)
                .build()));
  }

  private void add(int pod, PodEvent event) {
    events.add(event.json(WEB, new ObjectRef("v1", "Pod", "web-" + pod, "uid-" + pod), "shop"));
  }

  private String read(Instant now, int code) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(COMMAND.toString(), "web");
    builder.environment().put("NOW", now.toString());
    Process process = builder.redirectErrorStream(true).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(("{\"items\":[" + String.join(",", events) + "]}").getBytes(UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertEquals(code, process.waitFor(), output);
    return output.strip();
  }

  @Test
  void rollout_oneIsKilled_saysWhichAndWhatDelayWouldBeEnough() throws Exception {
    for (int pod = 0; pod < 10; pod++) {
      began(pod);
      if (pod != 7) {
        ended(pod, Outcome.CLEAN, pod == 3 ? 6_200 : 900);
      }
    }
    Instant now = Instant.now();
    assertEquals(
        "Deployment web: clean 9 of 9, 1 still ending, largest last connection 6.2 s:"
            + " 9 s would be enough, the delay is 15 s",
        read(now, 0));
    assertEquals(
        "Deployment web: clean 9 of 10, largest last connection 6.2 s:"
            + " 9 s would be enough, the delay is 15 s\n"
            + "  Killed: web-7: Shutdown begun by SIGTERM, gone in 29 s at most",
        read(now.plusSeconds(60), 1));
  }

  @Test
  void rollout_isIncompleteAndHaltedAfterItsReport_theWorstCounts() throws Exception {
    began(1);
    ended(1, Outcome.INCOMPLETE, 14_000);
    began(2);
    ended(2, Outcome.CLEAN, 100);
    add(2, PodEvent.halting("the exit hangs; JVM hooks of others that still run:\n at x"));
    String output = read(Instant.now(), 1);
    assertEquals(
        List.of(
            "Deployment web: clean 0 of 2, largest last connection 14 s: raise the delay of 15 s to"
                + " 19 s",
            "  Incomplete",
            "  Halted"),
        output.lines().map(line -> line.replaceAll("^(  \\w+):.*", "$1")).toList());
  }

  @Test
  void noEvents_saysSo() throws Exception {
    assertEquals("no shutdown in the Events of the last hour", read(Instant.now(), 0));
  }
}
