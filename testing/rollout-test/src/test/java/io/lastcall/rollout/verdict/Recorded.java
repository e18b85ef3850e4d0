package io.lastcall.rollout.verdict;

import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.ProcessFacts;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A made-up recording: pod 0 gets SIGTERM at second 10, its last router leaves at 14; pod 1
 * replaces it. Times of requests are seconds after SIGTERM.
 */
final class Recorded {
  static final long SECOND = 1_000_000_000L;
  static final long SIGTERM = 10 * SECOND;
  static final ProcessFacts JVM = new ProcessFacts("java", true, true, List.of(), false);

  private final List<Exchange> exchanges = new ArrayList<>();
  private double gone = 5;
  private boolean killed;
  private boolean delivered = true;
  private ProcessFacts process = JVM;
  private List<String> words = List.of();
  private OptionalLong notReady = OptionalLong.empty();
  private OptionalLong refusing = OptionalLong.empty();
  private long stall;
  private long slowestProbe;

  private static long at(double second) {
    return SIGTERM + (long) (second * SECOND);
  }

  Recorded gone(double second) {
    gone = second;
    return this;
  }

  Recorded killed(ProcessFacts first, boolean signalled, String... lastWords) {
    killed = true;
    process = first;
    delivered = signalled;
    words = List.of(lastWords);
    return this;
  }

  Recorded notReady(double second) {
    notReady = OptionalLong.of(at(second));
    return this;
  }

  Recorded refusing(double second) {
    refusing = OptionalLong.of(at(second));
    return this;
  }

  Recorded stall(double seconds) {
    stall = (long) (seconds * SECOND);
    return this;
  }

  Recorded slowestProbe(double seconds) {
    slowestProbe = (long) (seconds * SECOND);
    return this;
  }

  /** A request to pod 0 that was answered. */
  Recorded answered(double sent, boolean saysClose) {
    exchanges.add(exchange(0, "GET /", sent, sent + 0.01, true, Outcome.OK, 200, saysClose, ""));
    return this;
  }

  /** A request to pod 0 that was sent late. */
  Recorded late(double sent, double seconds) {
    Exchange onTime = exchange(0, "GET /", sent, sent + 0.01, true, Outcome.OK, 200, false, "");
    long planned = onTime.planned() - (long) (seconds * SECOND);
    exchanges.add(
        new Exchange(
            0,
            0,
            "GET /",
            true,
            true,
            planned,
            onTime.started(),
            onTime.sent(),
            onTime.ended(),
            Outcome.OK,
            200,
            false,
            ""));
    return this;
  }

  Recorded failed(double sent, double ended, boolean reused, Outcome outcome, String detail) {
    exchanges.add(exchange(0, "GET /", sent, ended, reused, outcome, 0, false, detail));
    return this;
  }

  /** On a kept connection, whose end the test has met by its own delay. */
  Recorded sentIntoAnEnd(double sent, double delay) {
    Exchange prompt = exchange(0, "GET /", sent, sent + 0.01, true, Outcome.EOF, 0, false, "");
    long started = prompt.sent() - (long) (delay * SECOND);
    exchanges.add(
        new Exchange(
            0,
            0,
            "GET /",
            true,
            true,
            started,
            started,
            prompt.sent(),
            prompt.ended(),
            Outcome.EOF,
            0,
            false,
            "closed"));
    return this;
  }

  Recorded failedHeld(String kind, double sent, double ended, Outcome outcome) {
    exchanges.add(exchange(0, kind, sent, ended, false, outcome, 0, false, ""));
    return this;
  }

  Recorded status(double sent, int status, Outcome outcome) {
    exchanges.add(exchange(0, "GET /", sent, sent + 0.01, false, outcome, status, false, ""));
    return this;
  }

  Recorded failedElsewhere(double sent, Outcome outcome) {
    exchanges.add(exchange(1, "GET /", sent, sent + 0.01, false, outcome, 0, false, ""));
    return this;
  }

  /** Pod 1 ended a kept connection as a request came. */
  Recorded keptEndedElsewhere(double sent) {
    exchanges.add(exchange(1, "GET /", sent, sent + 0.01, true, Outcome.EOF, 0, false, "closed"));
    return this;
  }

  private static Exchange exchange(
      int pod,
      String kind,
      double sent,
      double ended,
      boolean reused,
      Outcome outcome,
      int status,
      boolean close,
      String detail) {
    return new Exchange(
        0, pod, kind, reused, reused, at(sent), at(sent), at(sent), at(ended), outcome, status,
        close, detail);
  }

  Recording recording() {
    PodHistory.Termination end =
        new PodHistory.Termination(
            SIGTERM,
            at(gone),
            killed ? 137 : 143,
            killed,
            List.of(),
            List.of(at(1), at(4)),
            new PodHistory.Evidence(process, delivered, notReady, refusing, words));
    return new Recording(
        2,
        exchanges,
        List.of(
            new PodHistory(0, 0, SECOND, Optional.of(end)),
            new PodHistory(1, SIGTERM, SECOND, Optional.empty())),
        stall,
        slowestProbe);
  }

  List<Cause> causes() {
    Recording recording = recording();
    return Causes.of(recording, exchanges.stream().filter(Exchange::failed).toList());
  }

  /** The only cause. */
  Cause cause() {
    List<Cause> causes = causes();
    if (causes.size() != 1) {
      throw new AssertionError("not one cause: " + causes);
    }
    return causes.get(0);
  }

  Optional<String> busy() {
    return Busy.reason(
        recording(), 0, 30 * SECOND, killed || exchanges.stream().anyMatch(Exchange::failed));
  }
}
