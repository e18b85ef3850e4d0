package io.lastcall.rollout;

import static io.lastcall.rollout.load.RootLocale.format;
import static io.lastcall.rollout.load.RootLocale.span;

import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.PodHistory.Termination;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.cluster.RolloutPlan;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.verdict.Busy;
import io.lastcall.rollout.verdict.Cause;
import io.lastcall.rollout.verdict.Causes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** How a rollout went. Immutable. */
public final class RolloutResult {
  private static final int EXAMPLE_REPLICAS = 10;
  private static final String PAGE = "docs/testing.md#what-it-says";

  private final Recording recording;
  private final List<Exchange> lost;
  private final List<Cause> causes;
  private final Optional<String> inconclusive;
  private final Path picture;

  private RolloutResult(Recording recording, RolloutPlan plan, Path picture) {
    this.recording = recording;
    this.picture = picture;
    lost = recording.exchanges().stream().filter(Exchange::failed).toList();
    causes = Causes.of(recording, lost);
    boolean wrong = !lost.isEmpty() || killed();
    inconclusive =
        Busy.reason(
            recording,
            plan.preStop().toNanos(),
            plan.grace().minus(plan.preStop()).toNanos(),
            wrong);
  }

  static RolloutResult of(Recording recording, RolloutPlan plan, Path picture) throws IOException {
    RolloutResult result = new RolloutResult(recording, plan, picture);
    RolloutPage.write(picture, result.summary(), recording, Exchange::failed);
    return result;
  }

  /** How many requests were sent. */
  public int sent() {
    return recording.exchanges().size();
  }

  /** How many of them were lost: refused, cut, not answered, or answered as they should not be. */
  public int lost() {
    return lost.size();
  }

  /** Whether a pod was still there when the grace period was over. */
  public boolean killed() {
    return recording.terminations().stream().anyMatch(Termination::killed);
  }

  /** Why there is no verdict; empty if there is one. */
  public Optional<String> inconclusive() {
    return inconclusive;
  }

  /** Why requests were lost, and pods killed, a sentence each; the most important first. */
  public List<String> causes() {
    return causes.stream().map(Cause::sentence).toList();
  }

  List<Cause.Kind> kinds() {
    return causes.stream().map(Cause::kind).toList();
  }

  List<Exchange> failures() {
    return lost;
  }

  /** The page with the picture; the pods' logs are beside it. */
  public Path picture() {
    return picture;
  }

  /** The verdict in words: a line if nothing was lost, else one per cause as well. */
  public String summary() {
    StringBuilder text = new StringBuilder();
    if (inconclusive.isPresent()) {
      text.append("Inconclusive: ").append(inconclusive.get()).append('.');
    } else if (causes.isEmpty()) {
      text.append(nothingLost());
    } else {
      text.append(lost.isEmpty() ? "No request was lost, but a pod had to be killed" : lostOf())
          .append(format(" in a rollout of %d %s:", replicas(), replicas() == 1 ? "pod" : "pods"));
    }
    if (inconclusive.isPresent() && !causes.isEmpty()) {
      text.append(format("%nWhat was seen, without a verdict:"));
    }
    causes.forEach(cause -> text.append(format("%n  %s.", cause.sentence())));
    notReady()
        .ifPresent(
            early ->
                text.append(
                    format(
                        "%n  Note: readiness failed %s after SIGTERM, while routers still sent. A"
                            + " Service whose pods all terminate has no endpoint from then on"
                            + " (KEP-1669).",
                        span(early))));
    if (!causes.isEmpty()) {
      text.append(format("%n  The pods: %s.", exits()))
          .append(format("%n  Each cause explained: %s", PAGE));
    }
    return text.append(format("%n  Picture: %s, the pods' logs beside it", picture)).toString();
  }

  private String lostOf() {
    return format("%,d of %,d requests lost", lost(), sent());
  }

  private int replicas() {
    return recording.terminations().size();
  }

  private String nothingLost() {
    long leave =
        recording.terminations().stream()
            .mapToLong(end -> end.gone() - end.sigterm())
            .max()
            .orElse(0);
    long start =
        Math.max(1, recording.pods().stream().mapToLong(PodHistory::startNanos).max().orElse(0));
    long atOnce = Math.min(EXAMPLE_REPLICAS, leave / start + 1);
    return format(
        "Nothing lost: %,d requests, %,d of them to pods after their SIGTERM, in a rollout of %d"
            + " pods (%s).%n  Here a pod is ready after %s and gone %s after SIGTERM: one at a time,"
            + " %d replicas take about %.0f s, with up to %d old pods still on their way out.",
        sent(),
        recording.sentAfterSigterm().size(),
        replicas(),
        exits(),
        span(start),
        span(leave),
        EXAMPLE_REPLICAS,
        (EXAMPLE_REPLICAS * start + leave) / 1e9,
        atOnce);
  }

  private String exits() {
    return recording.terminations().stream()
        .map(
            end ->
                format(
                    "%s after %s, exit code %d",
                    end.killed() ? "killed" : "gone",
                    span(end.gone() - end.sigterm()),
                    end.exitCode()))
        .collect(Collectors.joining("; "));
  }

  /** The earliest that a pod's readiness failed, after SIGTERM, before its last router left. */
  private OptionalLong earlyNotReady() {
    return recording.terminations().stream()
        .flatMapToLong(
            end ->
                end.evidence().notReady().stream()
                    .filter(time -> time - end.lastLeave() < 0)
                    .map(time -> time - end.sigterm()))
        .min();
  }

  private Optional<Long> notReady() {
    OptionalLong early = earlyNotReady();
    return early.isPresent() ? Optional.of(early.getAsLong()) : Optional.empty();
  }

  /**
   * Asserts that no request was lost, and no pod killed: a kill loses whatever is under way, seen
   * or not.
   *
   * @throws AssertionError with the {@link #summary}
   * @throws InconclusiveException if there is no verdict
   */
  public RolloutResult assertNothingLost() {
    return check(lost.isEmpty() && !killed(), "");
  }

  /** Asserts that every replaced pod was gone this soon after SIGTERM; throws as the others do. */
  public RolloutResult assertGoneWithin(Duration longest) {
    boolean within =
        recording.terminations().stream()
            .allMatch(end -> end.gone() - end.sigterm() <= longest.toNanos());
    return check(within, "Expected every pod gone within " + Words.of(longest) + ".");
  }

  /** Asserts that every replaced pod ended with one of these codes; throws as the others do. */
  public RolloutResult assertExitCode(int... allowed) {
    boolean right =
        recording.terminations().stream()
            .allMatch(end -> Arrays.stream(allowed).anyMatch(code -> code == end.exitCode()));
    return check(right, "Expected exit code " + Arrays.toString(allowed) + ".");
  }

  /** Asserts that no pod was there until SIGKILL; throws as the others do. */
  public RolloutResult assertNothingWaitsForKill() {
    return check(!killed(), "Expected no pod to need SIGKILL.");
  }

  /**
   * Asserts that readiness did not fail before the last router had left; throws as the others do.
   * Nothing is lost by that while a pod that is ready is left; where all terminate, as on a node
   * that is drained, new connections have nowhere to go.
   */
  public RolloutResult assertReadyWhileRouted() {
    return check(earlyNotReady().isEmpty(), "Expected readiness until the last router has left.");
  }

  private RolloutResult check(boolean right, String expected) {
    if (inconclusive.isPresent()) {
      throw new InconclusiveException(summary());
    }
    if (!right) {
      throw new AssertionError(
          expected.isEmpty()
              ? summary()
              : expected + format(" The pods: %s.%n", exits()) + summary());
    }
    return this;
  }

  /** The {@link #summary}. */
  @Override
  public String toString() {
    return summary();
  }
}
