package io.lastcall.kubernetes;

import io.lastcall.kubernetes.PreparationAnswer.Prepared;
import io.lastcall.kubernetes.PreparationAnswer.Preparing;
import io.lastcall.kubernetes.PreparationAnswer.Refused;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All preparations as one, and the lease that they share. Used by one thread, except for {@link
 * #add}, {@link #remove} and {@link #hold}: what a question and the end of the lease do is never
 * mixed, so an answer of "prepared" is true when it is given and stays true for the lease.
 */
final class PreparationLease {
  /** Longer than the 5 s between two tries of a {@code kubectl drain}, by several lost tries. */
  static final Duration LENGTH = Duration.ofSeconds(30);

  static final Combined NOTHING_REGISTERED =
      new Combined(PreparationAnswer.refused("no preparation is registered"), Duration.ZERO);

  private static final Logger log = LoggerFactory.getLogger(Preparation.class);

  private final Ticker ticker;
  private final BooleanSupplier deleted;
  private final List<Named> registered = new CopyOnWriteArrayList<>();

  /** Those that were asked since the lease began, in this order. */
  private final List<Named> begun = new ArrayList<>();

  private Optional<Deadline> since = Optional.empty();
  private Optional<Deadline> end = Optional.empty();
  private boolean prepared;
  private volatile boolean held;

  /**
   * @param deleted asks whether the Pod is being deleted; may block
   */
  PreparationLease(Ticker ticker, BooleanSupplier deleted) {
    this.ticker = ticker;
    this.deleted = deleted;
  }

  record Named(String name, Preparation preparation) {}

  /**
   * The answer of all.
   *
   * @param since how long ago the lease began
   */
  record Combined(PreparationAnswer answer, Duration since) {}

  synchronized void add(Named added) {
    if (registered.stream().anyMatch(named -> named.name.equals(added.name))) {
      throw new IllegalArgumentException("There is a preparation named " + added.name);
    }
    registered.add(added);
  }

  void remove(Named named) {
    registered.remove(named);
  }

  /** From now on nothing is cancelled: the process ends. */
  void hold() {
    held = true;
  }

  /** Returns when the lease ends; empty if there is none, or it does not end. */
  Optional<Deadline> end() {
    return held ? Optional.empty() : end;
  }

  /** Asks all of them, which begins the lease or renews it. */
  Combined ask() {
    List<Named> asked = List.copyOf(registered);
    if (asked.isEmpty()) {
      return NOTHING_REGISTERED;
    }
    if (since.isEmpty()) {
      since = Optional.of(Deadline.after(Duration.ZERO, ticker));
      log.info("Preparing to be stopped: {}", names(asked));
    }
    List<PreparationAnswer> answers = new ArrayList<>();
    for (Named named : asked) {
      if (!begun.contains(named)) {
        begun.add(named);
      }
      answers.add(prepare(named));
    }
    PreparationAnswer answer = combine(asked, answers);
    if (answer instanceof Prepared && !prepared) {
      log.info("Prepared to be stopped");
    }
    prepared = answer instanceof Prepared;
    // From the answer on: that is what the lease promises to keep.
    end = Optional.of(Deadline.after(LENGTH, ticker));
    return new Combined(answer, since.get().elapsed());
  }

  private static String names(List<Named> all) {
    return all.stream().map(Named::name).collect(Collectors.joining(", "));
  }

  private static PreparationAnswer prepare(Named named) {
    try {
      return Objects.requireNonNull(named.preparation.prepare(), "prepare() returned null");
    } catch (Throwable t) {
      log.warn("The preparation '{}' failed", named.name, t);
      return PreparationAnswer.refused("it failed: " + t);
    }
  }

  private static PreparationAnswer combine(List<Named> asked, List<PreparationAnswer> answers) {
    String refusals = words(asked, answers, Refused.class, refused -> refused.reason());
    if (!refusals.isEmpty()) {
      return PreparationAnswer.refused(refusals);
    }
    Optional<Duration> eta =
        answers.stream()
            .flatMap(answer -> answer instanceof Preparing it ? Stream.of(it.eta()) : null)
            .max(Duration::compareTo);
    return eta.isEmpty()
        ? PreparationAnswer.prepared()
        : PreparationAnswer.preparing(
            eta.get(), words(asked, answers, Preparing.class, preparing -> preparing.detail()));
  }

  private static <T extends PreparationAnswer> String words(
      List<Named> asked, List<PreparationAnswer> answers, Class<T> type, Function<T, String> text) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      if (type.isInstance(answers.get(i))) {
        words.add(asked.get(i).name + ": " + text.apply(type.cast(answers.get(i))));
      }
    }
    return String.join("; ", words);
  }

  /**
   * Cancels all that was begun, if the lease's time has passed and the Pod is not being deleted.
   */
  void expire() {
    if (end().filter(Deadline::hasPassed).isEmpty()) {
      return;
    }
    // SIGTERM may come long after the deletion: a preStop hook runs first.
    if (deleted.getAsBoolean()) {
      log.info("The Pod is being deleted: the preparation stays");
      hold();
    } else {
      cancel("not asked for " + LENGTH.toSeconds() + " s");
    }
  }

  /** Cancels all that was begun, the last one first, unless the process ends. */
  void cancel(String reason) {
    if (held) {
      return;
    }
    if (since.isPresent()) {
      log.info("The preparation to be stopped is cancelled: {}", reason);
    }
    for (int i = begun.size() - 1; i >= 0; i--) {
      Named named = begun.get(i);
      try {
        named.preparation.cancel();
      } catch (Throwable t) {
        log.warn("The preparation '{}' could not be cancelled", named.name, t);
      }
    }
    begun.clear();
    since = Optional.empty();
    end = Optional.empty();
    prepared = false;
  }
}
