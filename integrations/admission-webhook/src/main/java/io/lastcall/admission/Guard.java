package io.lastcall.admission;

import io.lastcall.admission.PodAnswer.State;
import io.lastcall.admission.Review.Verb;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides whether a Pod may be stopped, and has the application asked where that matters. */
final class Guard {
  /**
   * Those who only finish what was decided before: the end of a namespace, of an owner, of a node.
   */
  static final Map<String, String> FINISHERS =
      Map.of(
          "system:serviceaccount:kube-system:namespace-controller", "namespace",
          "system:serviceaccount:kube-system:generic-garbage-collector", "collector",
          "system:serviceaccount:kube-system:pod-garbage-collector", "collector");

  /** All controllers in one, where they do not use their own service accounts. */
  private static final String MANAGER = "system:kube-controller-manager";

  /** Not longer than a lease, and not so long that a client seems to hang. */
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(20);

  /**
   * How much longer than {@code admit-after} a first refusal counts: it is of the same deletion
   * where somebody tries once an hour, and of another one after that.
   */
  private static final Duration REMEMBERED = Duration.ofHours(1);

  private static final Logger log = LoggerFactory.getLogger(Guard.class);

  private final Settings settings;
  private final ApiClient api;
  private final PodClient pods;
  private final Follower follower;
  private final PodEvents events;
  private final InstantSource clock;

  Guard(
      Settings settings,
      ApiClient api,
      PodClient pods,
      Follower follower,
      PodEvents events,
      InstantSource clock) {
    this.settings = settings;
    this.api = api;
    this.pods = pods;
    this.follower = follower;
    this.events = events;
    this.clock = clock;
  }

  Verdict decide(Review review) {
    if (review.groups().contains("system:nodes")) {
      return Verdict.allowed("kubelet");
    }
    String finisher = FINISHERS.get(review.user());
    if (finisher != null) {
      return Verdict.allowed(finisher);
    }
    Optional<Verdict> sent = review.pod().flatMap(Guard::atOnce);
    if (sent.isPresent()) {
      return sent.get();
    }
    try {
      // Never an address from a review: everybody who can reach this port could send one, and
      // would be sent the token.
      Optional<Pod> found = api.pod(review.namespace(), review.name());
      if (found.isEmpty()) {
        return Verdict.allowed("no_pod");
      }
      Optional<Verdict> now = atOnce(found.get());
      if (now.isPresent()) {
        return now.get();
      }
      if (review.dryRun()) {
        return Verdict.warned("dry_run", "first " + found.get() + " would be asked to prepare");
      }
      if (review.user().equals(MANAGER) && api.namespaceEnds(review.namespace())) {
        return Verdict.allowed("namespace");
      }
      return ask(review, found.get());
    } catch (IOException e) {
      return Verdict.later("api_server", "the Pod cannot be read: " + e);
    }
  }

  private static Optional<Verdict> atOnce(Pod pod) {
    return pod.free().map(Verdict::allowed);
  }

  private Verdict ask(Review review, Pod pod) {
    Optional<Duration> limit;
    try {
      limit = pod.admitAfter(settings.admitAfter());
    } catch (IllegalArgumentException e) {
      return Verdict.later("bad_annotation", String.valueOf(e.getMessage()));
    }
    PodAnswer answer = pods.ask(pod);
    follower.noteReview(pod, answer);
    String reason = answer.state().name().toLowerCase(Locale.ROOT);
    if (answer.isPrepared()) {
      if (pod.refusedSince().isPresent()) {
        annotate(pod, () -> api.annotatePrepared(pod, clock.instant()));
      }
      return Verdict.allowed(reason);
    }
    Instant since = refusedSince(pod, limit);
    Duration waited = Duration.between(since, clock.instant());
    if (limit.filter(most -> waited.compareTo(most) >= 0).isPresent()) {
      String warning =
          "%s was waited for %d s and is not prepared: %s"
              .formatted(pod, waited.toSeconds(), answer.detail());
      events.warn(pod, PodEvents.LET_GO, warning, since, clock.instant());
      return Verdict.warned("admit_after", warning);
    }
    String until =
        limit
            .map(most -> "let go from " + since.plus(most) + " on, prepared or not")
            .orElse("let go only once it is prepared");
    Verdict later =
        Verdict.later(
            reason, "%s: %s; refused since %s, %s".formatted(pod, answer.detail(), since, until));
    if (answer.state() != State.PREPARING) {
      events.warn(pod, PodEvents.CANNOT, later.message(), since, clock.instant());
    }
    // Not for a controller: each of its few workers would sit in that wait.
    return review.verb() == Verb.EVICT && answer.state() == State.PREPARING
        ? later.retryAfter(retry(answer.eta()))
        : later;
  }

  /**
   * Returns since when the Pod is refused, as it remembers itself: since now, if it was not, or if
   * that was for a deletion that has been given up.
   */
  private Instant refusedSince(Pod pod, Optional<Duration> limit) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    Instant oldest = now.minus(limit.orElse(Duration.ZERO)).minus(REMEMBERED);
    Optional<Instant> known =
        pod.refusedSince().filter(since -> !since.isAfter(now) && since.isAfter(oldest));
    if (known.isEmpty()) {
      annotate(pod, () -> api.annotateRefused(pod, now));
    }
    return known.orElse(now);
  }

  /** Something that the API server may refuse. */
  private interface Annotation {
    void send() throws IOException;
  }

  private static void annotate(Pod pod, Annotation annotation) {
    try {
      annotation.send();
    } catch (IOException e) {
      log.warn("{} could not be annotated, admit-after may count anew: {}", pod, e.toString());
    }
  }

  private static Duration retry(Duration eta) {
    if (eta.compareTo(LONGEST_RETRY) > 0) {
      return LONGEST_RETRY;
    }
    return eta.toSeconds() < 1 ? Duration.ofSeconds(1) : eta;
  }
}
