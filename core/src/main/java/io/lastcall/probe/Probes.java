package io.lastcall.probe;

import io.lastcall.probe.ProbeReport.Condition;
import io.lastcall.process.SafeLog;
import io.lastcall.time.Ticker;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The three probes of a kubelet by path, {@code /livez}, {@code /readyz}, {@code /startupz}, and
 * what is opened by a token: {@code /prestop} and {@code /lameduck}. Adapters ask {@link #isProbe}
 * before anything else: probes are not traffic, never enter the gate, and are answered by {@link
 * #answer} to the very end. Thread-safe, never blocks.
 */
public final class Probes {
  private static final Logger log = LoggerFactory.getLogger(Probes.class);

  private final ProbeSubject subject;
  private final ProbeToken token;
  private final Ticker ticker;
  private final CheckPool pool = new CheckPool();
  private final Map<ProbeKind, List<CheckRunner>> checks = new EnumMap<>(ProbeKind.class);

  /**
   * @param subject what the probes tell about
   * @param token opens {@code /prestop} and {@code /lameduck}
   * @param ticker how the age of a check's result is told
   */
  public Probes(ProbeSubject subject, ProbeToken token, Ticker ticker) {
    this.subject = subject;
    this.token = token;
    this.ticker = ticker;
    for (ProbeKind kind : ProbeKind.values()) {
      checks.put(kind, new CopyOnWriteArrayList<>());
    }
  }

  /**
   * Probes of something that never shuts down, such as an adapter's test.
   *
   * @param started whether start-up is over
   * @param ready whether traffic is wanted, start-up aside
   */
  public Probes(BooleanSupplier started, BooleanSupplier ready) {
    this(new FixedSubject(started, ready), ProbeToken.none(), Ticker.system());
  }

  /**
   * Adds a condition of the application's own to a probe, at any time.
   *
   * @throws IllegalArgumentException if the probe has a check of that name
   */
  public void check(ProbeKind kind, Check check) {
    List<CheckRunner> all = checks(kind);
    synchronized (all) {
      if (all.stream().anyMatch(other -> other.name().equals(check.name()))) {
        throw new IllegalArgumentException(
            "/%s has a check '%s' already; allowed: another name".formatted(kind, check.name()));
      }
      all.add(new CheckRunner(check, pool, ticker));
    }
  }

  /**
   * Ends the threads of the checks, and interrupts those that run: the library is uninstalled. A
   * probe that depends on a check fails from then on.
   */
  public void endChecks() {
    pool.close();
  }

  /**
   * Returns whether traffic is wanted, checks aside: started, and readiness has not been failed.
   */
  public boolean isReady() {
    return subject.isStarted() && subject.unready().isEmpty();
  }

  /** Completes with whether traffic is wanted and every readiness check passes. */
  public CompletionStage<Boolean> readiness() {
    return report(ProbeKind.READINESS).thenApply(ProbeReport::isUp);
  }

  /**
   * Returns whether a request is ours to answer and no traffic. For every request, so it allocates
   * nothing.
   *
   * @param target its path, with or without the query; a doubled leading slash is the same path
   */
  public boolean isProbe(CharSequence target) {
    return endpoint(target) != null;
  }

  private @Nullable Endpoint endpoint(CharSequence target) {
    Endpoint endpoint = Endpoint.of(target);
    return endpoint != null && endpoint.isGuarded() && !token.isSet() ? null : endpoint;
  }

  /**
   * Answers a probe: at once where no check has to run, else when the last one has ended or timed
   * out; {@code /prestop} when endpoints have propagated. What is not {@link #isProbe} gets 404. A
   * HEAD gets what GET would, without its body.
   *
   * @return never fails. Its dependents may run on a thread of the library's, and must not block
   */
  public CompletionStage<ProbeAnswer> answer(ProbeRequest request) {
    CompletionStage<ProbeAnswer> answer = guarded(request);
    return request.method().equals("HEAD") ? answer.thenApply(ProbeAnswer::withoutBody) : answer;
  }

  private CompletionStage<ProbeAnswer> guarded(ProbeRequest request) {
    try {
      return answerInFull(request).exceptionally(Probes::failed);
    } catch (Throwable t) {
      return done(failed(t));
    }
  }

  /** Not even with a full heap is a prober left without an answer. */
  private static ProbeAnswer failed(Throwable failure) {
    SafeLog.warn(log, "A probe could not be answered in full", failure);
    return ProbeAnswer.text(503, "failed\n");
  }

  private CompletionStage<ProbeAnswer> answerInFull(ProbeRequest request) {
    Endpoint endpoint = endpoint(request.target());
    if (endpoint == null || (endpoint.isGuarded() && !isOpen(endpoint, request))) {
      return done(ProbeAnswer.notFound());
    }
    if (!endpoint.allows(request.method())) {
      return done(ProbeAnswer.notAllowed(endpoint.allowed()));
    }
    return switch (endpoint) {
      case LIVEZ -> answer(ProbeKind.LIVENESS, request);
      case READYZ -> answer(ProbeKind.READINESS, request);
      case STARTUPZ -> answer(ProbeKind.START_UP, request);
      case PRESTOP -> preStop();
      case LAMEDUCK -> lameDuck(request.method().equals("POST"));
    };
  }

  private boolean isOpen(Endpoint endpoint, ProbeRequest request) {
    return token.matches(request.token().orElseGet(() -> endpoint.segment(request.target())));
  }

  private CompletionStage<ProbeAnswer> answer(ProbeKind kind, ProbeRequest request) {
    return report(kind).thenApply(report -> report.answer(request));
  }

  private CompletableFuture<ProbeReport> report(ProbeKind kind) {
    Condition own = own(kind);
    // Where the answer is no already, or a restart would only cut the drain short, nothing runs.
    boolean known = !own.result().isUp() || (kind == ProbeKind.LIVENESS && subject.isEnding());
    List<CheckRunner> runners = known ? List.of() : checks(kind);
    if (runners.isEmpty()) {
      return CompletableFuture.completedFuture(new ProbeReport(kind, List.of(own)));
    }
    List<CompletableFuture<Condition>> pending = new ArrayList<>();
    for (CheckRunner runner : runners) {
      pending.add(runner.result().thenApply(result -> new Condition(runner.name(), result)));
    }
    return CompletableFuture.allOf(pending.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            all -> {
              List<Condition> conditions = new ArrayList<>(List.of(own));
              pending.forEach(condition -> conditions.add(condition.join()));
              return new ProbeReport(kind, conditions);
            });
  }

  private Condition own(ProbeKind kind) {
    if (kind == ProbeKind.LIVENESS) {
      // Failing liveness while terminating buys nothing: the pod is ending already.
      return new Condition("alive", CheckResult.up());
    }
    if (!subject.isStarted()) {
      return new Condition("started", CheckResult.down("start-up is not over"));
    }
    if (kind == ProbeKind.START_UP) {
      return new Condition("started", CheckResult.up());
    }
    CheckResult wanted = subject.unready().map(CheckResult::down).orElseGet(CheckResult::up);
    return new Condition("traffic", wanted);
  }

  private CompletionStage<ProbeAnswer> preStop() {
    if (!subject.isStarted()) {
      // Nothing to drain: the signal that follows exits at once.
      return done(ProbeAnswer.text(200, "not started\n"));
    }
    return subject
        .preStop()
        .handle((ignored, failure) -> ProbeAnswer.text(200, "endpoints have propagated\n"));
  }

  private CompletionStage<ProbeAnswer> lameDuck(boolean on) {
    subject.lameDuck(on);
    return done(ProbeAnswer.text(200, on ? "lame duck\n" : "in service\n"));
  }

  private List<CheckRunner> checks(ProbeKind kind) {
    return Objects.requireNonNull(checks.get(kind));
  }

  private static CompletionStage<ProbeAnswer> done(ProbeAnswer answer) {
    return CompletableFuture.completedFuture(answer);
  }

  /** No shutdown behind it. */
  private record FixedSubject(BooleanSupplier started, BooleanSupplier ready)
      implements ProbeSubject {
    @Override
    public boolean isStarted() {
      return started.getAsBoolean();
    }

    @Override
    public Optional<String> unready() {
      return ready.getAsBoolean() ? Optional.empty() : Optional.of("shutting down");
    }

    @Override
    public boolean isEnding() {
      return false;
    }

    @Override
    public CompletionStage<?> preStop() {
      return done(ProbeAnswer.notFound());
    }

    @Override
    public void lameDuck(boolean on) {}
  }
}
