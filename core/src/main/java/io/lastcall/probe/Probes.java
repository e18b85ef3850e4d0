package io.lastcall.probe;

import io.lastcall.probe.ProbeReport.Line;
import io.lastcall.probe.ProbeSubject.Wait;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The three probes of a kubelet by path, {@code /livez}, {@code /readyz}, {@code /startupz}, and
 * the paths that a token opens, {@code /prestop} and {@code /lameduck}. Adapters ask {@link
 * #isProbe} first: probes are not traffic, never enter the gate, and are answered by {@link
 * #answer} until the exit. Thread-safe, never blocks.
 */
public final class Probes {
  private static final Logger log = LoggerFactory.getLogger(Probes.class);

  /**
   * On a port of the probes' own alone: on the service's port the path may be the application's.
   */
  private static final String IDLE = "/idle";

  private final ProbeSubject subject;
  private final ProbeToken token;
  private final Conditions conditions;
  private final Ticker ticker;
  private volatile boolean onServicePort = true;

  /** When readiness was asked for, and the gap before that; guarded by this. */
  private Optional<Long> asked = Optional.empty();

  private long gap;

  /** What extensions answer, by path. */
  private final Map<String, Function<ProbeRequest, CompletionStage<ProbeAnswer>>> guarded =
      new ConcurrentHashMap<>();

  /**
   * Creates the probes of a shutdown.
   *
   * @param token opens {@code /prestop} and {@code /lameduck}
   * @param ticker the time in which conditions are asked
   * @hidden of the library itself
   */
  public Probes(ProbeSubject subject, ProbeToken token, Ticker ticker) {
    this.subject = subject;
    this.token = token;
    this.ticker = ticker;
    conditions = new Conditions(ticker, subject::changed);
  }

  /**
   * Makes a probe depend on a condition of the application's own, from now on.
   *
   * <p>One daemon thread asks all conditions once a second, a new one at once; a probe reads the
   * last answers and never waits. Until its first answer a condition has not passed, except for
   * liveness. A condition that has not answered for 5 seconds fails readiness, and the start-up
   * probe if it is one of its conditions, by name; liveness fails by an answer alone.
   *
   * @param name as the probe shows it; printable, at most 100 characters
   * @param reason returns why the condition does not pass, or empty if it does; it must not block.
   *     An exception is a failure with its text. It runs with the context class loader of the
   *     thread that registers it. Every client of the probe can read the text.
   * @return takes the condition back when it is closed
   * @throws IllegalArgumentException if the probe has a condition of that name, or it is no name
   */
  public Condition condition(ProbeKind kind, String name, Supplier<Optional<String>> reason) {
    return conditions.add(kind, name, reason);
  }

  /**
   * Makes readiness depend on a condition, as {@link #condition} does: {@code
   * probes().readiness("db", () -> pool.isUp())}.
   *
   * @param up returns whether it passes; must not block
   */
  public Condition readiness(String name, BooleanSupplier up) {
    return condition(
        ProbeKind.READINESS,
        name,
        () -> up.getAsBoolean() ? Optional.empty() : Optional.of("it is not up"));
  }

  /**
   * Adds a path that an extension answers, on a port of the probes' own alone: on the service's
   * port the path may be the application's. A request whose {@value ProbeRequest#TOKEN_HEADER} is
   * not the token gets 403 and reaches no handler; without a token there is no such path.
   *
   * @param path begins with a slash; the query of a request does not count
   * @param handler must not block
   */
  public void guarded(String path, Function<ProbeRequest, CompletionStage<ProbeAnswer>> handler) {
    guarded.put(path, handler);
  }

  /** Returns whether a token is set, without which no {@link #guarded} path exists. */
  public boolean hasToken() {
    return token.isSet();
  }

  /**
   * Ends the thread that asks the conditions: the library is uninstalled. Idempotent.
   *
   * @hidden of the library itself
   */
  public void endConditions() {
    conditions.close();
  }

  /** Returns whether traffic is wanted: whether {@code /readyz} passes now. */
  public boolean isReady() {
    return report(ProbeKind.READINESS).isUp();
  }

  /**
   * Returns whether a request is a probe and no traffic, and notes that a probe has come by the
   * service's own port. For every request, so it allocates nothing.
   *
   * @param target its path, with or without the query; a doubled leading slash is the same path
   */
  public boolean isProbe(CharSequence target) {
    if (!onServicePort || path(target) == null) {
      return false;
    }
    subject.probed();
    return true;
  }

  /**
   * Notes that readiness was asked for in another way than by {@code /readyz}: by gRPC's health
   * service, or by Actuator. {@link #answer} calls it itself.
   */
  public synchronized void readinessAsked() {
    // Half of the last one at least: two may ask in turn.
    gap = Math.max(sinceAsked(), gap / 2);
    asked = Optional.of(ticker.read());
  }

  /**
   * Returns how often readiness is asked for, the time since the last question included.
   *
   * @hidden of the library itself
   */
  public synchronized Duration readinessPeriod() {
    return Duration.ofNanos(Math.max(sinceAsked(), gap));
  }

  private long sinceAsked() {
    return asked.map(last -> ticker.read() - last).orElse(0L);
  }

  /**
   * The service's port has no probes from now on: its paths are the application's, all of them. A
   * port of the probes' own answers as ever. For the agent, whose applications know nothing of it.
   */
  public void keepOffServicePort() {
    onServicePort = false;
  }

  private @Nullable ProbePath path(CharSequence target) {
    ProbePath path = ProbePath.of(target);
    return path != null && path.isGuarded() && !token.isSet() ? null : path;
  }

  /**
   * Returns the paths that are answered here as the URL patterns of a servlet mapping: {@code
   * /prestop} and {@code /lameduck} only where there is a token, since an application may have its
   * own.
   */
  public String[] urlPatterns() {
    return Stream.of(ProbePath.values())
        .filter(path -> onServicePort && (!path.isGuarded() || token.isSet()))
        .flatMap(ProbePath::urlPatterns)
        .toArray(String[]::new);
  }

  /**
   * Answers a probe: at once, but {@code /prestop} when endpoints have propagated. A request that
   * is not {@link #isProbe} gets 404. A HEAD gets the answer to GET without its body.
   *
   * @return never fails. Its dependents may run on a thread of the library's, and must not block
   */
  public CompletionStage<ProbeAnswer> answer(ProbeRequest request) {
    CompletionStage<ProbeAnswer> answer;
    try {
      answer = answerInFull(request).exceptionally(Probes::failed);
    } catch (Throwable t) {
      answer = done(failed(t));
    }
    return request.method().equals("HEAD") ? answer.thenApply(ProbeAnswer::withoutBody) : answer;
  }

  private static ProbeAnswer failed(Throwable failure) {
    ShutdownLog.warn(log, "A probe could not be answered in full", failure);
    return ProbeAnswer.text(503, "failed\n");
  }

  private CompletionStage<ProbeAnswer> answerInFull(ProbeRequest request) {
    ProbePath path = path(request.target());
    if (request.isFor(IDLE)) {
      return done(idle());
    }
    Function<ProbeRequest, CompletionStage<ProbeAnswer>> extension = guarded.get(request.path());
    if (extension != null && token.isSet()) {
      return token.matches(request.token().orElse(""))
          ? extension.apply(request)
          : done(ProbeAnswer.text(403, "wrong token\n"));
    }
    if (path == null || (path.isGuarded() && !isOpen(path, request))) {
      return done(ProbeAnswer.text(404, "not found\n"));
    }
    if (!path.allows(request.method())) {
      return done(ProbeAnswer.notAllowed(path.allowed()));
    }
    return switch (path) {
      case LIVEZ -> done(report(ProbeKind.LIVENESS).answer(request));
      case READYZ -> {
        readinessAsked();
        yield done(report(ProbeKind.READINESS).answer(request));
      }
      case STARTUPZ -> done(report(ProbeKind.START_UP).answer(request));
      case PRESTOP -> preStop(request);
      case LAMEDUCK -> takeOutOfService(request.method().equals("POST"));
    };
  }

  private boolean isOpen(ProbePath path, ProbeRequest request) {
    return token.matches(request.token().orElseGet(() -> path.segment(request.target())));
  }

  private ProbeReport report(ProbeKind kind) {
    List<Line> lines = new ArrayList<>();
    Line own = own(kind);
    lines.add(own);
    // Once a shutdown has begun a restart would only cut the drain short.
    if (own.isUp() && !(kind == ProbeKind.LIVENESS && subject.isEnding())) {
      lines.addAll(conditions.lines(kind));
    }
    return new ProbeReport(kind, lines);
  }

  private Line own(ProbeKind kind) {
    if (kind == ProbeKind.LIVENESS) {
      return new Line("alive", Optional.empty());
    }
    if (!subject.isStarted()) {
      return new Line("started", Optional.of("start-up is not over"));
    }
    return kind == ProbeKind.START_UP
        ? new Line("started", Optional.empty())
        : new Line("traffic", subject.unready());
  }

  private CompletionStage<ProbeAnswer> preStop(ProbeRequest request) {
    String name = request.parameter("wait").orElse("propagated");
    Optional<Wait> wait = Wait.of(name);
    if (wait.isEmpty()) {
      return done(
          ProbeAnswer.text(
              400,
              "wait=%s is none of these: propagated, the default; drained; sessions\n"
                  .formatted(name)));
    }
    if (!subject.isStarted()) {
      // Nothing to drain: the signal that follows exits at once.
      return done(ProbeAnswer.text(200, "not started\n"));
    }
    String words = wait.get() == Wait.DRAINED ? "drained\n" : "endpoints have propagated\n";
    return subject.preStop(wait.get()).handle((ignored, failure) -> ProbeAnswer.text(200, words));
  }

  private ProbeAnswer idle() {
    String busy = subject.busy();
    return busy.isEmpty()
        ? ProbeAnswer.text(200, "idle\n")
        : ProbeAnswer.text(503, "busy: " + busy + "\n");
  }

  private CompletionStage<ProbeAnswer> takeOutOfService(boolean on) {
    subject.takeOutOfService(on);
    return done(ProbeAnswer.text(200, on ? "out of service\n" : "in service\n"));
  }

  private static CompletionStage<ProbeAnswer> done(ProbeAnswer answer) {
    return CompletableFuture.completedFuture(answer);
  }
}
