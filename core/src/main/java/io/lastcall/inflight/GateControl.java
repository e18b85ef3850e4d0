package io.lastcall.inflight;

import io.lastcall.inflight.RequestGate.Mode;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * The sequence's end of a {@link RequestGate}: whoever holds it can move the gate, adapters cannot.
 * The moves go forward only, and one thread at a time makes them; any thread may read, and set
 * {@link #lameDuck}.
 */
public final class GateControl {
  private static final int MAX_LISTED = 1000;

  private final RequestGate gate;

  /** Creates an open gate on {@code ticker}, with stripes for this machine's processors. */
  public GateControl(Ticker ticker) {
    gate = new RequestGate(ticker, Runtime.getRuntime().availableProcessors());
  }

  /** Returns the adapters' end. */
  public RequestGate gate() {
    return gate;
  }

  /** As {@link #leave(Deadline, Duration)}, since now. */
  public void leave(Duration closeRamp) {
    leave(Deadline.after(Duration.ZERO, gate.ticker()), closeRamp);
  }

  /**
   * Starts to time arrivals and to mark responses.
   *
   * @param since the trigger: what arrivals and the ramp are counted from
   * @param closeRamp the time until every response says close; zero: from now on
   */
  public void leave(Deadline since, Duration closeRamp) {
    gate.startRamp(since, closeRamp);
  }

  /** Lets every response say close, or not any more; outside the modes, for a lame duck. */
  public void lameDuck(boolean on) {
    gate.lameDuck(on);
  }

  /** Refuses new requests from now on; those inside go on. */
  public void refuse() {
    advance(Mode.REFUSING);
  }

  /**
   * Tells the requests that run now that nothing waits for them any more, and waits until those
   * that end by that are released. New requests are refused. If there are too many to tell until
   * the deadline, the rest is not told: the caller is interrupted soon after it, and an interrupt
   * closes the connection that is being told.
   */
  public void giveUp(Deadline deadline) {
    gate.wakeOnIdle(Thread.currentThread());
    advance(Mode.ANSWERING);
    Queue<InFlight> ending = new ArrayDeque<>();
    for (InFlight permit : gate.table().list()) {
      if (deadline.hasPassed()) {
        break;
      }
      if (ask(permit::giveUp, false)) {
        ending.add(permit);
      }
    }
    // The counters first: after them, the permits are seen as their owners left them.
    deadline.await(gate, () -> gate.isIdle() || areReleased(ending));
  }

  /** Drops the released ones from the head, so that no permit is looked at again after that. */
  private static boolean areReleased(Queue<InFlight> permits) {
    InFlight next = permits.peek();
    while (next != null && !next.isHeld()) {
      permits.remove();
      next = permits.peek();
    }
    return next == null;
  }

  /** Lets nobody in any more. */
  public void close() {
    advance(Mode.CLOSED);
  }

  /**
   * Waits until nobody is in flight. New requests are still let in unless {@link #refuse()} or
   * {@link #close()} was called. Woken by the release that makes it idle; nothing polls. An
   * interrupt does not end the wait and is restored after it.
   *
   * @return false if the deadline passed first
   */
  public boolean awaitIdle(Deadline deadline) {
    gate.wakeOnIdle(Thread.currentThread());
    advance(Mode.DRAINING);
    return deadline.await(gate, gate::isIdle);
  }

  private void advance(Mode next) {
    if (gate.mode().compareTo(next) < 0) {
      gate.advanceTo(next);
    }
  }

  /** Returns whether the sequence has nobody to wait for now; a moment's view. */
  public boolean isIdle() {
    return gate.isIdle();
  }

  /** Returns whether a probe has come so far. */
  public boolean sawProbe() {
    return gate.sawProbe();
  }

  /** Returns how many requests have asked to enter so far, refused ones included. */
  public long started() {
    return gate.counters().sumStarted();
  }

  /** Returns how many requests have left so far, refused ones included. */
  public long finished() {
    return gate.counters().sumFinished();
  }

  /** Returns how many requests were refused so far. */
  public long refused() {
    return gate.refused();
  }

  /** Returns the time from {@link #leave} to the last request that arrived after it, if any did. */
  public Optional<Duration> lastArrival() {
    long nanos = gate.lastArrivalNanos();
    return nanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
  }

  /**
   * Returns the time from {@link #leave} to the last connection that was accepted after it and has
   * brought a request, if one has and the adapters know.
   */
  public Optional<Duration> lastConnection() {
    long nanos = gate.lastConnectionNanos();
    return nanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
  }

  /** Returns the requests that are running now; at most {@value #MAX_LISTED} of them. */
  public List<InFlightRequest> running() {
    return gate.table().list().stream().limit(MAX_LISTED).map(GateControl::describe).toList();
  }

  /** The permit is the adapter's: what it cannot tell must not keep the others from being told. */
  private static InFlightRequest describe(InFlight permit) {
    return new InFlightRequest(
        ask(() -> oneLine(permit.description()), "request"),
        ask(permit::age, Optional.empty()),
        thread(permit));
  }

  /** A decoded path is the client's to choose: it must not write lines of a log. */
  private static String oneLine(String description) {
    return description.replaceAll("\\p{Cc}", "?");
  }

  private static Optional<Thread> thread(InFlight permit) {
    return ask(permit::thread, Optional.empty());
  }

  private static <T> T ask(Supplier<T> question, T otherwise) {
    try {
      return question.get();
    } catch (Throwable unknown) {
      return otherwise;
    }
  }
}
