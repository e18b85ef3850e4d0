package io.lastcall.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.CapturedLog;
import io.lastcall.report.RequestTotals;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Events of a shutdown, and what they cost. The time of the exit is manual. */
@Timeout(120)
class PodEventsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Trigger SIGTERM = new Trigger(Trigger.Kind.STOP_SIGNAL, "SIGTERM");
  private static final String OWNED_BY_SET =
      ",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\","
          + "\"name\":\"web-7d4b\",\"uid\":\"77\",\"controller\":true}]";

  @RegisterExtension final CapturedLog log = new CapturedLog();
  @TempDir private Path folder = Path.of("unset");
  private @Nullable FakeApiServer running;
  private final ManualTicker ticker = new ManualTicker();
  private final CountDownLatch never = new CountDownLatch(1);
  private final ShutdownPlan plan = GracefulShutdown.disabled().plan();

  @BeforeEach
  void start() throws Exception {
    running = FakeApiServer.start(folder);
  }

  @AfterEach
  void stop() {
    never.countDown();
    server().close();
  }

  private FakeApiServer server() {
    return Objects.requireNonNull(running);
  }

  private PodEvents events(Duration patience) {
    ApiServer client = server().client(patience);
    return new PodEvents(client, new PodWatch(client, ticker)::seen, plan, ticker);
  }

  private ShutdownReport report(Trigger trigger, Outcome outcome) {
    return ShutdownReport.builder(plan, trigger)
        .requests(
            new RequestTotals(
                5, 0, 0, 0, 0, Optional.empty(), Optional.of(Duration.ofMillis(6200))),
            List.of())
        .exit(outcome, outcome == Outcome.CLEAN ? 0 : 80, true)
        .build();
  }

  private void awaitPosted(int number) {
    Awaitility.await().until(() -> server().events.size() == number);
  }

  /** Ends where it must not wait: the time is manual, and stands still. */
  private void close(PodEvents events) {
    events.close(Deadline.after(LONG, ticker));
  }

  private Object at(int event, String... path) {
    Object value = Json.read(server().events.get(event));
    for (String name : path) {
      value = PodState.member(value, name);
    }
    return Objects.requireNonNull(value);
  }

  @Test
  void shutdown_isTwoEventsAboutTheDeployment() {
    server().answers(200, FakeApiServer.pod(OWNED_BY_SET));
    server()
        .answersReplicaSet(
            "{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"apps/v1\","
                + "\"kind\":\"Deployment\",\"name\":\"web\",\"uid\":\"88\",\"controller\":true}]}}");
    PodEvents events = events(LONG);
    events.began(SIGTERM);
    awaitPosted(1);
    events.reported(report(SIGTERM, Outcome.CLEAN));
    close(events);
    assertEquals(2, server().events.size());
    for (int event : new int[] {0, 1}) {
      assertEquals("Event", at(event, "kind"));
      assertEquals("Normal", at(event, "type"));
      assertEquals("shop", at(event, "metadata", "namespace"));
      assertEquals(FakeApiServer.POD + ".", at(event, "metadata", "generateName"));
      assertEquals(
          Map.of(
              "apiVersion",
              "apps/v1",
              "kind",
              "Deployment",
              "namespace",
              "shop",
              "name",
              "web",
              "uid",
              "88"),
          at(event, "involvedObject"));
      assertEquals("4b1f", at(event, "related", "uid"));
      assertEquals(FakeApiServer.POD, at(event, "related", "name"));
    }
    assertEquals("LastcallBegan", at(0, "reason"));
    assertEquals(
        FakeApiServer.POD + ": Shutdown begun by SIGTERM, gone in 29 s at most", at(0, "message"));
    assertEquals("LastcallClean", at(1, "reason"));
    assertTrue(
        at(1, "message").toString().startsWith(FakeApiServer.POD + ": Shutdown clean after 0 ms"),
        () -> at(1, "message").toString());
    assertEquals("6.2", at(1, "metadata", "annotations", "lastcall.io/last-connection-seconds"));
  }

  @ParameterizedTest
  @CsvSource({"INCOMPLETE, LastcallIncomplete, Warning", "HANDED_BACK, LastcallHandedBack, Normal"})
  void reported_hasTheOutcomeAsItsReason(Outcome outcome, String reason, String type) {
    PodEvents events = events(LONG);
    events.began(SIGTERM);
    events.reported(report(SIGTERM, outcome));
    close(events);
    assertEquals(reason, at(1, "reason"));
    assertEquals(type, at(1, "type"));
  }

  /** It may not read the ReplicaSet, or no controller has made the Pod. */
  @Test
  void owner_isNotKnown_eventIsAboutWhatIs() {
    server().answers(200, FakeApiServer.pod(OWNED_BY_SET));
    PodEvents events = events(LONG);
    events.began(SIGTERM);
    close(events);
    assertEquals("web-7d4b", at(0, "involvedObject", "name"));
    server().answers(200, FakeApiServer.pod(""));
    PodEvents orphan = events(LONG);
    orphan.began(SIGTERM);
    close(orphan);
    assertEquals("Pod", at(1, "involvedObject", "kind"));
    assertEquals("4b1f", at(1, "involvedObject", "uid"));
  }

  @Test
  void halting_isAWarningThatSaysWhatHangs() {
    PodEvents events = events(LONG);
    events.began(SIGTERM);
    awaitPosted(1);
    events.halting("DRAIN is late; still running: 1 \"request\"");
    awaitPosted(2);
    assertEquals("LastcallHalted", at(1, "reason"));
    assertTrue(at(1, "message").toString().endsWith("1 \"request\""));
    close(events);
  }

  @Test
  void program_thatSimplyEnds_isNoEventUnlessThatGoesWrong() {
    Trigger end = new Trigger(Trigger.Kind.JVM_EXIT, "JVM exit");
    PodEvents events = events(LONG);
    events.began(end);
    events.reported(report(end, Outcome.CLEAN));
    close(events);
    assertEquals(List.of(), server().events);
    events.reported(report(end, Outcome.INCOMPLETE));
    close(events);
    assertEquals("LastcallIncomplete", at(0, "reason"));
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 422})
  void refused_nothingMoreIsSentAndTheExitDoesNotWait(int status) {
    server().answersEvents(exchange -> FakeApiServer.reply(exchange, status, "{}"));
    PodEvents events = events(LONG);
    events.began(SIGTERM);
    awaitPosted(1);
    events.reported(report(SIGTERM, Outcome.CLEAN));
    close(events);
    Awaitility.await().until(() -> threads() == 0);
    assertEquals(1, server().events.size());
    assertEquals(status == 403, !log.text().contains("WARN"), log::text);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("lastcall-events"))
        .count();
  }

  @Test
  void pod_isNotKnown_nothingIsSentAndTheExitDoesNotWait() {
    server().answers(403, "{}");
    PodEvents events = events(LONG);
    events.began(SIGTERM);
    events.reported(report(SIGTERM, Outcome.CLEAN));
    close(events);
    assertEquals(List.of(), server().events);
  }

  /** The first was not answered: the exit does not wait for the second. */
  @Test
  void apiServerHangs_theExitDoesNotWait() {
    server().answersEvents(exchange -> hang());
    // A busy machine gets both requests to the server in that.
    PodEvents events = events(Duration.ofSeconds(3));
    events.began(SIGTERM);
    log.awaitLogged("An Event of this shutdown could not be posted");
    events.reported(report(SIGTERM, Outcome.CLEAN));
    awaitPosted(2); // it may have had the first, and is not to take its silence for a kill
    close(events);
  }

  /** It hangs only now: then the exit waits for a fifth of a second. */
  @Test
  void apiServerHangsAfterTheFirst_theExitWaitsForAFifthOfASecond() throws Exception {
    PodEvents events = events(LONG);
    events.began(SIGTERM);
    awaitPosted(1);
    server().answersEvents(exchange -> hang());
    events.reported(report(SIGTERM, Outcome.CLEAN));
    awaitPosted(2);
    Thread exit = new Thread(() -> close(events), "the exit");
    exit.start();
    ticker.awaitParkedUntil("the exit", Duration.ofMillis(200));
    ticker.advance(Duration.ofMillis(200));
    exit.join();
    assertFalse(log.text().contains("could not be posted"), log::text);
  }

  private void hang() {
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
