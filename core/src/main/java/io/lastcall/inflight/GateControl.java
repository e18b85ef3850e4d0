package io.lastcall.inflight;

import io.lastcall.inflight.RequestGate.Mode;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The sequence's end of a {@link RequestGate}, which alone moves the gate. The moves go forward
 * only, and one thread at a time makes them; any thread may read, and set {@link #outOfService}.
 *
 * @hidden of the library itself
 */
public final class GateControl implements InProgress {
  private static final int MAX_LISTED = 1000;

  /** How often in a row a request must be found without its client. */
  private static final int LOOKS = 3;

  private final RequestGate gate;
  private final AtomicLong abandonedByClients = new AtomicLong();

  /** The requests that the last look found without their clients, and how many looks have. */
  private Map<InFlight, Integer> withoutClient = Map.of();

  /** Creates an open gate on {@code ticker}, with stripes for this machine's processors. */
  public GateControl(Ticker ticker) {
    gate = new RequestGate(ticker, Runtime.getRuntime().availableProcessors());
  }

  /** Returns the adapters' end. */
  public RequestGate gate() {
    return gate;
  }

  /** Counts new connections, and the requests of each address, from now on. */
  public void observeArrivals() {
    gate.observed = true;
  }

  /** Returns what {@link #observeArrivals} has counted. */
  public Arrivals arrivals() {
    return gate.arrivals;
  }

  /** As {@link #leave(Deadline, Duration)}, since now. */
  public void leave(Duration closeRamp) {
    leave(Deadline.after(Duration.ZERO, gate.ticker), closeRamp);
  }

  /**
   * Starts to time arrivals and to mark responses.
   *
   * @param since the trigger: arrivals and the ramp count from it
   * @param closeRamp the time until every response says close; zero: from now on
   */
  public void leave(Deadline since, Duration closeRamp) {
    // Written before the mode, and read after it.
    gate.rampStart = since.nanos();
    gate.rampNanos = closeRamp.toNanos();
    gate.mode = Mode.LEAVING;
  }

  /** Makes every response say close, or ends that; independent of the modes. */
  public void outOfService(boolean on) {
    gate.outOfService = on;
  }

  /** Refuses new requests from now on; admitted requests go on. */
  public void refuse() {
    advance(Mode.REFUSING);
  }

  /**
   * Refuses new requests, asks each request in flight to end, and waits for those that do. Stops
   * asking at the deadline: an interrupt during the call would close that request's connection.
   */
  public void giveUp(Deadline deadline) {
    gate.waiter = Thread.currentThread();
    advance(Mode.ANSWERING);
    Queue<InFlight> ending = new ArrayDeque<>();
    for (InFlight permit : gate.table.list()) {
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

  /** Removes released permits from the head, so that none is looked at again. */
  private static boolean areReleased(Queue<InFlight> permits) {
    while (!permits.isEmpty() && !permits.element().isHeld()) {
      permits.remove();
    }
    return permits.isEmpty();
  }

  /** Refuses every request from now on, for good. */
  @Override
  public void close() {
    advance(Mode.CLOSED);
  }

  /**
   * Waits until no request is in flight. New requests are still admitted unless {@link #refuse()}
   * or {@link #close()} was called. Woken by the release that makes the gate idle; nothing polls.
   * An interrupt does not end the wait and is restored after it.
   *
   * @return false if the deadline passed first
   */
  @Override
  public boolean awaitIdle(Deadline deadline) {
    gate.waiter = Thread.currentThread();
    advance(Mode.DRAINING);
    return deadline.await(gate, gate::isIdle);
  }

  /**
   * Ends the stay of requests that this look and the two before it have found without their
   * clients: their answers have no reader. Their handlers go on.
   *
   * @return those that it has ended
   */
  public List<InFlightRequest> releaseAbandoned() {
    List<InFlightRequest> released = new ArrayList<>();
    Map<InFlight, Integer> found = new HashMap<>();
    for (InFlight listed : gate.table.list()) {
      // Held after that: the answer is about this request, and not about one that came after it.
      if (listed instanceof Permit permit && ask(permit::isClientGone, false) && permit.isHeld()) {
        int looks = withoutClient.getOrDefault(permit, 0) + 1;
        InFlightRequest request = describe(permit);
        if (looks < LOOKS) {
          found.put(permit, looks);
        } else if (permit.release()) {
          abandonedByClients.getAndIncrement();
          released.add(request);
        }
      }
    }
    withoutClient = found;
    return released;
  }

  /** Returns how many requests {@link #releaseAbandoned} has ended. */
  public long abandonedByClients() {
    return abandonedByClients.get();
  }

  private void advance(Mode next) {
    if (gate.mode.compareTo(next) < 0) {
      gate.mode = next;
    }
  }

  /** Returns whether no request is in flight; a moment's view. */
  @Override
  public boolean isIdle() {
    return gate.isIdle();
  }

  /** Returns whether a probe has come so far. */
  public boolean sawProbe() {
    return gate.probed;
  }

  /** Returns how many requests have asked to enter so far, refused ones included. */
  @Override
  public long started() {
    return gate.counters.sumStarted();
  }

  /** Returns how many requests have left so far, refused ones included. */
  public long finished() {
    return gate.counters.sumFinished();
  }

  /** Returns how many requests were refused so far. */
  public long refused() {
    return gate.refused.get();
  }

  /** Returns the time from {@link #leave} to the last request that arrived after it, if any did. */
  public Optional<Duration> lastArrival() {
    return sinceTrigger(gate.lastArrival.get());
  }

  /**
   * Returns the time from {@link #leave} to the last connection that was accepted after it and has
   * brought a request, if one has and the adapters know.
   */
  public Optional<Duration> lastConnection() {
    return gate.lastConnection.at();
  }

  /** Returns whose {@link #lastConnection} was; empty where its adapter does not know. */
  public Optional<LastClient> lastClient() {
    return gate.lastConnection.client();
  }

  /**
   * Returns the time from {@link #leave} to the last request that shows a router: by a connection
   * that was accepted after it, or from an address that may be a router's.
   */
  public Optional<Duration> lastRouted() {
    return sinceTrigger(gate.lastRouted.get());
  }

  private static Optional<Duration> sinceTrigger(long nanos) {
    return nanos < 0 ? Optional.empty() : Optional.of(Duration.ofNanos(nanos));
  }

  /** Returns the requests that are running now; at most {@value #MAX_LISTED} of them. */
  @Override
  public List<InFlightRequest> running() {
    return gate.table.list().stream().limit(MAX_LISTED).map(GateControl::describe).toList();
  }

  /** Returns the permits that are held now, without those of event loops. */
  public List<Permit> permits() {
    return gate.table.list().stream()
        .filter(each -> each instanceof Permit && each.isHeld())
        .map(Permit.class::cast)
        .toList();
  }

  @Override
  public List<String> describe() {
    long inFlight = gate.inFlight();
    return inFlight == 0
        ? List.of()
        : List.of(inFlight + (inFlight == 1 ? " request" : " requests") + " in flight");
  }

  private static InFlightRequest describe(InFlight permit) {
    return new InFlightRequest(
        // A decoded path is the client's to choose: it must not write lines of a log.
        ask(() -> permit.description().replaceAll("\\p{Cc}", "?"), "request"),
        ask(permit::age, Optional.empty()),
        ask(permit::thread, Optional.empty()));
  }

  /** The permit is the adapter's: its failure must not affect the other permits. */
  private static <T> T ask(Supplier<T> question, T otherwise) {
    try {
      return question.get();
    } catch (Throwable unknown) {
      return otherwise;
    }
  }
}
