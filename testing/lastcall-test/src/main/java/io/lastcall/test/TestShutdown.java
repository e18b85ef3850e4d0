package io.lastcall.test;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.phase.Trigger;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.StepReport;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;

/**
 * A shutdown under test: core itself, with the plan and the sequence that run in production, in
 * time that stands still until the test moves it, in a process that never ends.
 *
 * <pre>{@code
 * try (TestShutdown test = TestShutdown.install(builder -> builder
 *     .gracePeriod(Duration.ofSeconds(30))
 *     .propagationDelay(Duration.ofSeconds(15))
 *     .components(service))) {
 *   test.signal("TERM");
 *   test.advanceTo(Duration.ofSeconds(12));
 *   assertEquals(List.of("deregister"), test.ran());
 *   assertEquals(Outcome.CLEAN, test.finish().outcome());
 * }
 * }</pre>
 *
 * Steps, servers and listeners are called on threads of the library's, as in production, while time
 * stands still. Each method that moves time returns when all that is due by then has run. A step
 * that waits in one place for a second of real time counts as hanging: time moves on without it, up
 * to its deadline if need be. See {@link #patience}.
 *
 * <p>Of the machine's environment variables and system properties none is read. There may be any
 * number of them in one JVM, one after the other or at the same time. For the thread of the test
 * alone.
 */
public final class TestShutdown implements AutoCloseable {
  private static final Map<String, String> IN_A_POD = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");

  /** In real time. */
  private static final Duration GUARD = Duration.ofSeconds(30);

  private final ManualTime time = new ManualTime();
  private final ThreadGroup group = new ThreadGroup("lastcall-test");
  private final Standstill standstill = new Standstill(group, time, GUARD);
  private final TestProcess process;
  private final List<StepReport> steps = new CopyOnWriteArrayList<>();
  private final GracefulShutdown shutdown;
  private volatile long origin;
  private boolean closed;

  private TestShutdown(
      Map<String, String> environment,
      Properties properties,
      Consumer<GracefulShutdownBuilder> settings) {
    process = new TestProcess(time, environment, properties);
    GracefulShutdownBuilder builder =
        GracefulShutdownBuilder.simulated(process).listener(new Listener());
    settings.accept(builder);
    shutdown = installInGroup(builder);
    standstill.await();
  }

  /**
   * Installs a shutdown as in a pod whose environment sets nothing: {@code KUBERNETES_SERVICE_HOST}
   * is there.
   *
   * @param settings sets and adds, as before {@code install()}, which it must not call
   * @throws IllegalArgumentException as {@link GracefulShutdownBuilder#install} does
   */
  public static TestShutdown install(Consumer<GracefulShutdownBuilder> settings) {
    return install(IN_A_POD, new Properties(), settings);
  }

  /**
   * As {@link #install(Consumer)}, with an environment of the test's.
   *
   * @param environment all environment variables there are, such as {@code LASTCALL_GRACE_PERIOD}
   * @param properties all system properties there are, such as {@code lastcall.grace-period}
   */
  public static TestShutdown install(
      Map<String, String> environment,
      Properties properties,
      Consumer<GracefulShutdownBuilder> settings) {
    Objects.requireNonNull(environment, "environment must not be null");
    Objects.requireNonNull(properties, "properties must not be null");
    Objects.requireNonNull(settings, "settings must not be null");
    return new TestShutdown(environment, properties, settings);
  }

  /** On a thread of the group, to which then all threads belong that the library makes. */
  private GracefulShutdown installInGroup(GracefulShutdownBuilder builder) {
    FutureTask<GracefulShutdown> installation = new FutureTask<>(builder::install);
    Thread installer = new Thread(group, installation, "test-install");
    installer.setDaemon(true);
    installer.start();
    try {
      return installation.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException refusal) {
        throw refusal;
      }
      throw new IllegalStateException("install() failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted in install()", e);
    }
  }

  /** Returns the shutdown under test. What it offers is real, {@code begin} and probes included. */
  public GracefulShutdown shutdown() {
    return shutdown;
  }

  /**
   * Raises a signal, as the kubelet does with {@code "TERM"}; returns when all has run that is due
   * at once. To begin without a signal, call {@code shutdown().begin(reason)}.
   *
   * @param name the signal's name without SIG
   * @throws IllegalArgumentException if the shutdown does not handle this signal
   */
  public void signal(String name) {
    Runnable handler = process.handler(name);
    Thread thread = new Thread(group, handler, "lastcall-signal");
    thread.setDaemon(true);
    thread.start();
    standstill.awaitAnew();
  }

  /**
   * Moves time on by {@code amount}, from each moment at which something is due to the next;
   * returns when all of it has run. With {@link Duration#ZERO}: runs what is due by what the test
   * has just done. Time stops where the process ends.
   *
   * @throws IllegalArgumentException if {@code amount} is negative
   * @throws AssertionError if something never comes to rest, with where it runs
   */
  public void advance(Duration amount) {
    checkAhead(amount);
    standstill.awaitAnew();
    moveTo(time.read() + amount.toNanos());
  }

  /**
   * As {@link #advance}, to the moment {@code elapsed} after the shutdown has begun; before it has,
   * after {@code install}.
   *
   * @throws IllegalArgumentException if that moment is over
   */
  public void advanceTo(Duration elapsed) {
    standstill.awaitAnew(); // a shutdown may begin in this moment
    Duration amount = elapsed.minus(elapsed());
    checkAhead(amount);
    moveTo(time.read() + amount.toNanos());
  }

  private static void checkAhead(Duration amount) {
    if (amount.isNegative()) {
      throw new IllegalArgumentException(
          "Time cannot go back, by " + amount.negated() + "; allowed: to now or later");
    }
  }

  /** Returns the time since the shutdown has begun; before it has, since {@code install}. */
  public Duration elapsed() {
    return Duration.ofNanos(time.read() - origin);
  }

  /**
   * Returns the steps that have ended so far, failed and timed out ones included, in the order in
   * which they did.
   */
  public List<StepReport> steps() {
    return List.copyOf(steps);
  }

  /** Returns the names of {@link #steps()}. */
  public List<String> ran() {
    return steps.stream().map(StepReport::name).toList();
  }

  /** Returns the code that the process has ended with; empty while it runs. */
  public OptionalInt exitCode() {
    return process.exitCode();
  }

  /**
   * Moves time on until the process ends, and returns the report.
   *
   * @throws IllegalStateException if no shutdown has begun
   * @throws AssertionError if the process ends without a report, or something never comes to rest
   */
  public ShutdownReport finish() {
    standstill.awaitAnew();
    if (exitCode().isEmpty() && !shutdown.isShuttingDown()) {
      throw new IllegalStateException(
          "No shutdown has begun; allowed: signal(\"TERM\") or shutdown().begin(reason) before it");
    }
    moveTo(Long.MAX_VALUE);
    if (!shutdown.completion().isDone() || shutdown.completion().isCompletedExceptionally()) {
      throw new AssertionError("The process has ended without a report: " + exitCode());
    }
    return shutdown.completion().join();
  }

  /**
   * Sets for how long of real time a step or a listener may wait in one place, for the test's own
   * threads or a real service, before it counts as hanging. Each that hangs takes a test that long.
   * The default is 1 second.
   */
  public TestShutdown patience(Duration realTime) {
    standstill.patience(realTime.toNanos());
    return this;
  }

  /**
   * Ends the shutdown and its threads: a shutdown that has begun runs to its end as by {@link
   * #finish}, one that has not is uninstalled. Idempotent.
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      shutdown.uninstall(); // does nothing once it has begun
      standstill.awaitAnew();
      if (shutdown.isShuttingDown()) {
        moveTo(Long.MAX_VALUE);
      }
    } finally {
      time.end();
    }
    standstill.awaitEnd();
  }

  private void moveTo(long target) {
    OptionalLong next = time.next();
    while (isDue(next, target)) {
      time.moveTo(next.getAsLong());
      standstill.await();
      next = time.next();
    }
    if (exitCode().isEmpty() && target < Long.MAX_VALUE) {
      time.moveTo(target);
    }
  }

  private boolean isDue(OptionalLong next, long target) {
    return exitCode().isEmpty() && next.isPresent() && next.getAsLong() <= target;
  }

  private final class Listener implements ShutdownListener {
    @Override
    public void began(Trigger trigger) {
      origin = time.read();
    }

    @Override
    public void stepEnded(StepReport report) {
      steps.add(report);
    }
  }
}
