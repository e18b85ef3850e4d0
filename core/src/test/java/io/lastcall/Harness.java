package io.lastcall;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.RequestGate;
import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.phase.StepAction;
import io.lastcall.phase.Trigger;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.process.FakeJvm;
import io.lastcall.process.Threads;
import io.lastcall.propagation.History;
import io.lastcall.report.PhaseReport;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.StepReport;
import io.lastcall.testing.ManualTicker;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A shutdown in a JVM that ends on paper, in time that stands still. Its plan: grace 30 s, delay 15
 * s, drain 9.75 s (cutoff 4.875 s before its end), close 3.25 s, exit 1 s, reserve 1 s.
 */
final class Harness {
  static final String SEQUENCE = "lastcall-sequence";

  final ManualTicker ticker = new ManualTicker();
  final FakeJvm jvm = new FakeJvm();
  final Map<String, String> environment =
      new HashMap<>(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));

  /** What steps and servers did, in order. */
  final List<String> events = new CopyOnWriteArrayList<>();

  private final CompletableFuture<ShutdownReport> completed = new CompletableFuture<>();
  private final GracefulShutdownBuilder builder =
      GracefulShutdown.builder()
          .seams(jvm, ticker)
          .environment(environment, new Properties())
          .listener(new Listener());
  private Optional<GracefulShutdown> installed = Optional.empty();

  /** The defaults' values, set: without a server, as most tests are, the defaults differ. */
  Harness() {
    builder.propagationDelay(Duration.ofSeconds(15)).cleanExitCode(0);
  }

  private Harness(String settings) {
    environment.put("LASTCALL_GRACE_PERIOD", settings);
  }

  /** One in which nothing is set but the grace period. */
  static Harness withGracePeriod(String text) {
    return new Harness(text);
  }

  GracefulShutdownBuilder builder() {
    return builder;
  }

  GracefulShutdown install() {
    installed = Optional.of(builder.install());
    return installed.get();
  }

  /** Installs and raises SIGTERM; returns when the shutdown has begun. */
  GracefulShutdown terminate() {
    GracefulShutdown shutdown = install();
    join(jvm.raise("TERM"));
    return shutdown;
  }

  /** As {@link #terminate}, after a request: a filter that counts is in place. */
  GracefulShutdown terminateAfterARequest() {
    install();
    enter("GET /").release();
    join(jvm.raise("TERM"));
    return shutdown();
  }

  /** A connection that writes down what it is told, all but to close. */
  HttpConnection toldMore(String name) {
    return new HttpConnection() {
      @Override
      public void announceClose() {
        events.add("announce " + name);
      }

      @Override
      public void forceClose() {
        events.add("give up " + name);
      }

      @Override
      public void closeIfIdle() {}
    };
  }

  /** How many of those were asked to leave. */
  long announced() {
    return events.stream().filter(event -> event.startsWith("announce")).count();
  }

  /** Waits until the sequence's thread sleeps until {@code millis}, then moves there. */
  void pass(long millis) {
    awaitSequenceUntil(millis);
    ticker.advanceTo(Duration.ofMillis(millis));
  }

  /** Waits until the sequence's thread sleeps, until whenever. */
  void awaitSequence() {
    ticker.awaitParked(SEQUENCE);
  }

  void awaitSequenceUntil(long millis) {
    ticker.awaitParkedUntil(SEQUENCE, Duration.ofMillis(millis));
  }

  /** Moves through the default KEEP_SERVING: the last quarter begins at 11.25 s. */
  void passKeepServing() {
    pass(11_250);
    pass(15_000);
  }

  /** Moves through the first half of KEEP_SERVING, while open connections hear of the leaving. */
  void passAnnouncements() {
    awaitSequence();
    ticker.advanceTo(Duration.ofMillis(7_500));
  }

  /** As {@link #passKeepServing}, with connections open, which are told spread over the time. */
  void passKeepServingWithConnections() {
    passAnnouncements();
    pass(11_250);
    awaitSequence();
    ticker.advanceTo(Duration.ofSeconds(15));
  }

  /** Moves through five minutes of steady traffic: the history of an adaptive wait. */
  void passHistory(int perSecond) {
    for (int half = 1; half <= 600; half++) {
      ticker.awaitParkedUntil("lastcall-history", Duration.ofMillis(500L * half));
      for (int i = 0; i < perSecond / 2; i++) {
        connect(i);
      }
      ticker.advance(Duration.ofMillis(500));
    }
    ticker.awaitParkedUntil("lastcall-history", Duration.ofMillis(300_500));
  }

  /** A request by a connection of its own, from a client of that number. */
  void connect(int client) {
    connect(History.address(client));
  }

  /** A request by a connection of its own; null: the adapter does not know from where. */
  void connect(@Nullable SocketAddress client) {
    RequestGate gate = shutdown().gate();
    gate.cameBy(gate.accepted(client));
    enter("GET /").release();
  }

  /** To the end of DRAIN, which takes all the time there is for a request that never ends. */
  void drainInVain() {
    install();
    enter("GET /endless");
    join(jvm.raise("TERM"));
    passKeepServing();
    pass(22_725);
    pass(27_600);
  }

  /** Waits until a thread of that name waits for something, wherever it is by then. */
  static void awaitWaiting(String name) {
    Set<Thread.State> waiting = Set.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);
    Awaitility.await()
        .until(
            () ->
                Threads.alive().stream()
                    .anyMatch(
                        thread ->
                            thread.getName().equals(name) && waiting.contains(thread.getState())));
  }

  TestPermit enter(String description) {
    return enter(description, null);
  }

  TestPermit enter(String description, @Nullable Thread thread) {
    TestPermit permit = new TestPermit(description, thread);
    if (!shutdown().gate().enter(permit)) {
      throw new AssertionError("Refused: " + description);
    }
    return permit;
  }

  boolean isRefused() {
    return !shutdown().gate().enter(new TestPermit("GET /late"));
  }

  GracefulShutdown shutdown() {
    return installed.orElseThrow();
  }

  /** The status of a probe that answers at once. */
  int probe(String target) {
    ProbeRequest request = ProbeRequest.of("GET", target, name -> null);
    return result(shutdown().probes().answer(request).toCompletableFuture()).status();
  }

  StepAction event(String event) {
    return context -> events.add(event);
  }

  /** The report as the listener got it. */
  ShutdownReport report() {
    return result(completed);
  }

  PhaseReport phase(Phase phase) {
    return report().phases().stream()
        .filter(report -> report.phase() == phase)
        .findAny()
        .orElseThrow();
  }

  StepReport step(String name) {
    return report().steps().stream()
        .filter(report -> report.name().equals(name))
        .findAny()
        .orElseThrow();
  }

  static <T> T result(CompletableFuture<T> future) {
    try {
      return future.get(60, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException e) {
      throw new AssertionError("No result", e);
    }
  }

  /**
   * For good, unless interrupted. With a limit it would fail on its own thread some time behind its
   * test, and Awaitility fails whatever test waits by then for what any thread throws.
   */
  static void hang() {
    await(new CountDownLatch(1));
  }

  static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("Interrupted", e);
    }
  }

  static void join(Thread thread) {
    try {
      thread.join(30_000);
    } catch (InterruptedException e) {
      throw new AssertionError("The test was interrupted", e);
    }
    if (thread.isAlive()) {
      throw new AssertionError(thread.getName() + " never ended");
    }
  }

  private final class Listener implements ShutdownListener {
    @Override
    public void outOfService(boolean on) {
      events.add("out of service " + on);
    }

    @Override
    public void began(Trigger trigger) {
      events.add("began " + trigger);
    }

    @Override
    public void phaseStarted(Phase phase) {
      events.add("+" + phase);
    }

    @Override
    public void phaseEnded(PhaseReport report) {
      events.add("-" + report.phase());
    }

    @Override
    public void completed(ShutdownReport report) {
      events.add("completed");
      completed.complete(report);
    }
  }
}
