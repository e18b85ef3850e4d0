package io.lastcall.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.kubernetes.PreparationAnswer.Prepared;
import io.lastcall.kubernetes.PreparationLease.Named;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/**
 * The lease itself, in every order of questions, time, hand-over, deletion and SIGTERM: the Pod
 * either serves or is prepared. The lease is used by one thread, so orders are all there is. States
 * that are alike are explored once, so the orders have no bound.
 */
class PreparationModelTest {

  /** What can happen next. */
  private enum Event {
    /** Somebody asks: a webhook that follows, a try of a drain. */
    ASK,
    /** A deletion or eviction: the webhook asks, and admits it if the Pod is prepared. */
    EVICT,
    /** The API server stores the admitted deletion. */
    STORE,
    /** A deletion that no webhook holds: forced, or waited for too long. */
    FORCE,
    /** A disruption budget refuses the admitted eviction. */
    BUDGET,
    /** The application hands over one more part. */
    MOVE_ON,
    /** 10 s pass. */
    TICK,
    /** The shutdown begins, with a deletion or without. */
    SIGTERM
  }

  /** Bugs that the model must see. */
  private enum Mutant {
    NONE,
    /** The end of the lease asks nothing whether the Pod is being deleted. */
    BLIND,
    /** SIGTERM does not hold the lease. */
    DEAF,
    /** The lease does not end. */
    ENDLESS
  }

  /** One order of events, played on a lease of its own. */
  private static final class Run {
    final Mutant mutant;
    final ManualTicker ticker = new ManualTicker();
    final FakeMember member = new FakeMember();
    final PreparationLease lease;
    Optional<Deadline> asked = Optional.empty();
    Optional<Deadline> admitted = Optional.empty();
    boolean deleted;
    boolean forced;
    boolean ended;
    int cancelledAtEnd;
    Optional<String> wrong = Optional.empty();

    Run(Mutant mutant) {
      this.mutant = mutant;
      lease = new PreparationLease(ticker, () -> deleted && mutant != Mutant.BLIND);
      lease.add(new Named("member", member));
    }

    private Deadline now() {
      return Deadline.after(Duration.ZERO, ticker);
    }

    /** Returns false if the event cannot happen now. */
    boolean play(Event event) {
      switch (event) {
        case ASK -> ask();
        case EVICT -> {
          if (deleted || admitted.isPresent()) {
            return false;
          }
          if (ask()) {
            admitted = Optional.of(now());
          }
        }
        case STORE -> {
          if (admitted.isEmpty()) {
            return false;
          }
          admitted = Optional.empty();
          deleted = true;
          cancelledAtEnd = member.cancelled;
        }
        case FORCE -> {
          if (deleted) {
            return false;
          }
          deleted = true;
          forced = true;
          cancelledAtEnd = member.cancelled;
        }
        case BUDGET -> {
          if (admitted.isEmpty()) {
            return false;
          }
          admitted = Optional.empty();
        }
        case MOVE_ON -> member.moveOn();
        case TICK -> tick();
        case SIGTERM -> {
          if (ended) {
            return false;
          }
          ended = true;
          cancelledAtEnd = deleted ? cancelledAtEnd : member.cancelled;
          if (mutant != Mutant.DEAF) {
            lease.hold();
          }
        }
      }
      check();
      return true;
    }

    private boolean ask() {
      asked = Optional.of(now());
      boolean prepared = lease.ask().answer() instanceof Prepared;
      if (prepared != member.isPrepared()) {
        wrong = Optional.of("the answer is not true");
      }
      return prepared;
    }

    private void tick() {
      ticker.advance(Duration.ofSeconds(10));
      // An API server stores at once what it has admitted, or never.
      admitted = admitted.filter(at -> at.elapsed().toSeconds() < 30);
      if (mutant != Mutant.ENDLESS) {
        lease.expire();
      }
    }

    private void check() {
      boolean forgotten = asked.filter(at -> at.elapsed().toSeconds() < 30).isEmpty();
      if (deleted && !forced && !member.isPrepared()) {
        wrong = Optional.of("the Pod is deleted and not prepared");
      } else if ((deleted || ended) && member.cancelled > cancelledAtEnd) {
        wrong = Optional.of("cancelled although the Pod ends");
      } else if (forgotten && !deleted && !ended && !member.isServing()) {
        wrong = Optional.of("nobody wants it stopped, and it does not serve");
      }
    }

    /** Returns all that the next events depend on. */
    List<Object> state() {
      return List.of(
          member.moved,
          member.isServing(),
          lease.end().map(Deadline::remaining),
          asked.map(at -> Math.min(30, at.elapsed().toSeconds())),
          admitted.map(at -> at.elapsed().toSeconds()),
          deleted,
          forced,
          ended,
          (deleted || ended) && member.cancelled > cancelledAtEnd);
    }
  }

  private record Result(int states, Optional<String> wrong) {}

  private static Result explore(Mutant mutant) {
    Set<List<Object>> seen = new HashSet<>();
    Deque<List<Event>> open = new ArrayDeque<>();
    open.add(List.of());
    while (!open.isEmpty()) {
      List<Event> past = open.remove();
      for (Event event : Event.values()) {
        Run run = new Run(mutant);
        past.forEach(run::play);
        if (run.play(event)) {
          List<Event> order = new ArrayList<>(past);
          order.add(event);
          if (run.wrong.isPresent()) {
            return new Result(seen.size(), Optional.of(run.wrong.get() + ": " + order));
          }
          if (seen.add(run.state())) {
            open.add(order);
          }
        }
      }
    }
    return new Result(seen.size(), Optional.empty());
  }

  @Test
  void lease_inEveryOrder_thePodServesOrIsPrepared() {
    Result result = explore(Mutant.NONE);
    assertEquals(Optional.empty(), result.wrong);
    assertTrue(result.states > 100, () -> result.states + " states");
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void mutant_inSomeOrder_isCaught(Mutant mutant) {
    assertTrue(explore(mutant).wrong.isPresent(), mutant + " is not caught");
  }
}
