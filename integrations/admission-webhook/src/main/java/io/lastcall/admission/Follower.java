package io.lastcall.admission;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Pods that prepare once a second, so that their lease does not end between two tries of a
 * controller that waits longer and longer, and annotates a Pod that has turned prepared: its owner
 * sees the change and tries again at once.
 *
 * <p>A Pod is followed as long as another try may come: a controller's waits double, so for twice
 * the time from the first try to the last one, and for a minute at least. Thread-safe.
 */
final class Follower {
  private static final Duration LEAST = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(Follower.class);

  private final PodClient pods;
  private final ApiClient api;
  private final Executor threads;
  private final Ticker ticker;
  private final Map<String, Followed> followed = new ConcurrentHashMap<>();

  /**
   * A Pod that somebody wants to stop.
   *
   * @param waits whether it is not prepared yet, as far as is known
   */
  private record Followed(Pod pod, Deadline first, Deadline last, boolean waits) {
    boolean isForgotten() {
      Duration twice = first.until(last).multipliedBy(2);
      return last.elapsed().compareTo(twice.compareTo(LEAST) > 0 ? twice : LEAST) > 0;
    }

    Followed prepared() {
      return new Followed(pod, first, last, false);
    }
  }

  Follower(PodClient pods, ApiClient api, Executor threads, Ticker ticker) {
    this.pods = pods;
    this.api = api;
    this.threads = threads;
    this.ticker = ticker;
  }

  /** Notes a try to stop a Pod. */
  void noteReview(Pod pod, PodAnswer answer) {
    Deadline now = Deadline.after(Duration.ZERO, ticker);
    followed.merge(
        pod.uid(),
        new Followed(pod, now, now, !answer.isPrepared()),
        (old, fresh) ->
            new Followed(pod, old.isForgotten() ? now : old.first, now, !answer.isPrepared()));
  }

  /** Asks each Pod that is followed, each on a thread of its own. Called once a second. */
  void askAll() {
    followed.values().removeIf(Followed::isForgotten);
    followed.forEach(
        (uid, entry) -> {
          if (entry.waits) {
            threads.execute(() -> ask(entry));
          }
        });
  }

  private void ask(Followed entry) {
    try {
      Optional<Pod> found = api.pod(entry.pod.namespace(), entry.pod.name());
      Optional<Pod> same = found.filter(pod -> pod.uid().equals(entry.pod.uid()));
      // A Pod that is gone has no address: the next one that gets it must not be asked.
      if (same.filter(pod -> pod.free().isEmpty()).isEmpty()) {
        followed.remove(entry.pod.uid());
      } else if (pods.ask(same.get()).isPrepared()) {
        api.annotatePrepared(same.get(), Instant.now());
        followed.computeIfPresent(entry.pod.uid(), (uid, now) -> now.prepared());
        log.info("{} has turned prepared", entry.pod);
      }
    } catch (IOException e) {
      log.warn("{} waits, and could not be read or annotated: {}", entry.pod, e.toString());
    }
  }
}
