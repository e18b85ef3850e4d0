package io.lastcall.inflight;

import io.lastcall.time.Ticker;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests in, counts them, and tells adapters what to do with a response. The only part of
 * the library on the path of every request. Each call is wait-free until a shutdown begins, and
 * lock-free after that, except where dozens of requests are in flight for each stripe. Thread-safe.
 *
 * <p>For each request an adapter calls {@link #enter}. An admitted request calls {@link
 * Permit#release()} once its response has left. A refused request is answered {@link
 * #REFUSED_STATUS} with {@link #refusalHeaders} and no body. When a response's head is about to be
 * written the adapter asks {@link #shouldCloseConnection()}. Probes are not traffic and must not
 * enter.
 *
 * <h2>Why a refused or last request is never missed</h2>
 *
 * An entering thread adds to {@code started} and <em>then</em> reads the mode; the sequence writes
 * the mode and <em>then</em> sums. All four are volatile, so at least one of the two sees the
 * other: either the entering thread sees the gate closed and takes its entry back, or the sums see
 * the entry.
 *
 * <p>A leaving thread adds to {@code finished} and <em>then</em> reads the mode; the sequence
 * writes the mode and <em>then</em> tests. So either the leaving thread sees that it must test, or
 * the sequence's own test sees its add. Of several threads that leave at once, the one whose add is
 * last in the total order sees all the other adds. Every add to {@code finished} is followed by
 * that test, also the add that takes a refused entry back: a drain may wait for that one last.
 *
 * <p>The test compares the two sums with each other, never with an earlier number: while requests
 * enter and leave, such a number does not tell which of them are left.
 *
 * <h2>Why an answer to a request that outlives DRAIN is waited for</h2>
 *
 * When DRAIN has timed out, the sequence writes ANSWERING, asks the requests to end, and waits for
 * the permits of those that do. A leaving thread clears its permit, adds to {@code finished} and
 * <em>then</em> reads the mode. If it reads ANSWERING, it wakes the sequence. If it reads an
 * earlier mode, its add precedes the sequence's write of ANSWERING, so that the sums which the
 * sequence then reads contain that add, and the permit, which it reads after the sums, is seen
 * cleared.
 */
public final class RequestGate {
  /** The status of a refused request: 503 Service Unavailable (RFC 9110, section 15.6.4). */
  public static final int REFUSED_STATUS = 503;

  /**
   * Seconds for {@code Retry-After} on a refused request (RFC 9110, section 10.2.3): the smallest
   * wait it can express, since another replica can answer at once.
   */
  private static final String RETRY_AFTER_SECONDS = "1";

  private static final Map<String, String> REFUSAL =
      Map.of("Retry-After", RETRY_AFTER_SECONDS, "Connection", "close");

  /** RFC 9113, section 8.2: names are in lower case, and none is about the connection. */
  private static final Map<String, String> REFUSAL_OF_A_STREAM =
      Map.of("retry-after", RETRY_AFTER_SECONDS);

  /** States of the gate; they only go forward, and only {@link GateControl} moves them. */
  enum Mode {
    /** No shutdown: nothing but counting. */
    SERVING,
    /** A shutdown has begun: arrivals are timed, responses start to say close. */
    LEAVING,
    /** The sequence waits for idle: every leaving thread tests for it. */
    DRAINING,
    /** As DRAINING, but new requests are refused so that admitted ones can finish. */
    REFUSING,
    /** As REFUSING, but every leaving thread wakes the sequence, which waits for some requests. */
    ANSWERING,
    /** Every request is refused, for good. */
    CLOSED
  }

  /** How many random bits decide whether a response says close: as many as a double holds. */
  private static final int LOT_BITS = 53;

  private static final int LOT_SHIFT = Long.SIZE - LOT_BITS;

  final Ticker ticker;
  final StripedCounters counters;
  final InFlightTable table;
  final AtomicLong refused = new AtomicLong();

  /** Nanoseconds from the trigger to the last arrival after it; negative if there was none. */
  final LongAccumulator lastArrival = new LongAccumulator(Math::max, Long.MIN_VALUE);

  final LastConnection lastConnection = new LastConnection();

  /** Nanoseconds from the trigger to the last request that shows a router; negative if none. */
  final LongAccumulator lastRouted = new LongAccumulator(Math::max, Long.MIN_VALUE);

  final Arrivals arrivals = new Arrivals();
  volatile boolean observed;

  volatile Mode mode = Mode.SERVING;
  volatile boolean outOfService;
  volatile boolean probed;

  /** Woken when the gate is idle. */
  volatile @Nullable Thread waiter;

  /** Nanoseconds after {@link #rampStart} at which every response says close; zero: at once. */
  long rampNanos;

  long rampStart;

  /** Returns a gate that never closes, for a server that takes no part in a shutdown. */
  public static RequestGate open() {
    return new GateControl(Ticker.system()).gate();
  }

  /**
   * Returns the headers of the answer to a refused request: {@code Retry-After}, and {@code
   * Connection: close} (RFC 9112, section 9.6).
   *
   * @param multiplexed whether the connection carries several requests at a time, as HTTP/2 does
   */
  public static Map<String, String> refusalHeaders(boolean multiplexed) {
    return multiplexed ? REFUSAL_OF_A_STREAM : REFUSAL;
  }

  RequestGate(Ticker ticker, int processors) {
    this.ticker = ticker;
    this.counters = new StripedCounters(processors);
    this.table = new InFlightTable(counters.stripes());
  }

  /**
   * Asks to enter. Counts first and tests after, so that no request can slip by a closing gate.
   *
   * @param permit not currently admitted
   * @return true if admitted: {@link Permit#release()} must be called then; false if refused
   */
  public boolean enter(Permit permit) {
    int stripe = counters.stripe();
    long ticket = counters.start(stripe);
    if (mode != Mode.SERVING && !enterWhileEnding(stripe)) {
      return false;
    }
    permit.hold(this, place(stripe, table.add(permit, stripe, ticket)));
    return true;
  }

  /** As {@link #enter}, for a permit that is listed elsewhere, and {@link #cameBy}. */
  boolean count(int stripe, AcceptedConnection connection) {
    counters.start(stripe);
    connection.request();
    if (mode == Mode.SERVING) {
      return true;
    }
    noteWhileEnding(connection);
    return enterWhileEnding(stripe);
  }

  private boolean enterWhileEnding(int stripe) {
    lastArrival.accumulate(ticker.read() - rampStart);
    if (mode.compareTo(Mode.REFUSING) < 0) {
      return true;
    }
    refused.getAndIncrement();
    counters.finish(stripe);
    wakeIfIdle(stripe);
    return false;
  }

  /**
   * Notes a connection that a listener has accepted. The adapter keeps the result with the
   * connection, for {@link #cameBy}.
   *
   * @param client where it comes from, as the socket says; null if that is not known
   */
  public AcceptedConnection accepted(@Nullable SocketAddress client) {
    return new AcceptedConnection(
        isEnding() ? ticker.read() - rampStart : -1,
        client instanceof InetSocketAddress known ? known.getAddress() : null,
        observed ? arrivals : null);
  }

  /**
   * Returns whether {@link #cameBy} is of use: with adaptive propagation, and once a shutdown has
   * begun.
   */
  public boolean observesConnections() {
    return observed || isEnding();
  }

  /**
   * Says by which connection a request has come. A <em>new</em> connection shows that a router
   * still sends here; a request on an older one only shows that its client has not left yet. Not
   * for probes, each of which comes by a connection of its own to the very end. {@link
   * EventLoopPermits} call it themselves.
   */
  public void cameBy(AcceptedConnection connection) {
    connection.request();
    if (isEnding()) {
      noteWhileEnding(connection);
    }
  }

  private void noteWhileEnding(AcceptedConnection connection) {
    lastConnection.note(connection.acceptTime, connection.address);
    if (connection.showsRouter()) {
      lastRouted.accumulate(ticker.read() - rampStart);
    }
  }

  /** Called once per admitted permit, by {@link Permit#release()}. */
  void exit(Permit permit, int place) {
    table.remove(permit, (place >>> Byte.SIZE) - 1);
    exit((place & 0xFF) - 1);
  }

  /** Called once for each entry counted. */
  void exit(int stripe) {
    counters.finish(stripe);
    Mode now = mode;
    if (now == Mode.ANSWERING) {
      LockSupport.unpark(waiter);
    } else if (now != Mode.SERVING && now.compareTo(Mode.DRAINING) >= 0) {
      wakeIfIdle(stripe);
    }
  }

  /** The stripe, at most 64, in the low byte, the slot above it; each plus one, so never zero. */
  static int place(int stripe, int slot) {
    return (slot + 1) << Byte.SIZE | (stripe + 1);
  }

  private void wakeIfIdle(int stripe) {
    if (counters.idle(stripe) && isIdle()) {
      LockSupport.unpark(waiter);
    }
  }

  boolean isIdle() {
    return counters.idle();
  }

  /**
   * Returns whether the response about to be committed must be the last on its connection: {@code
   * Connection: close} on HTTP/1.1. Ask when the head is written, not when the request arrives: a
   * slow request may have arrived before the shutdown began.
   *
   * <p>During KEEP_SERVING the answer is yes with a probability that grows to 1 by the middle of
   * the window, so that clients do not all reconnect in one instant; after that it is always yes.
   */
  public boolean shouldCloseConnection() {
    return mayCloseConnections()
        && shouldCloseConnection(ThreadLocalRandom.current().nextLong() >>> LOT_SHIFT);
  }

  /**
   * As {@link #shouldCloseConnection()}, for a response that is asked for more than once: the same
   * id draws the same lot each time, so that two who ask do not make a close more likely.
   *
   * @param requestId such as {@code ServletRequest.getRequestId()}
   */
  public boolean shouldCloseConnection(String requestId) {
    return mayCloseConnections() && shouldCloseConnection(mix(requestId.hashCode()) >>> LOT_SHIFT);
  }

  /** With a lot of {@link #LOT_BITS} random bits. */
  private boolean shouldCloseConnection(long lot) {
    if (mode != Mode.LEAVING || outOfService) {
      return true;
    }
    long elapsed = ticker.read() - rampStart;
    return elapsed >= rampNanos || lot < (double) elapsed / rampNanos * (1L << LOT_BITS);
  }

  /** Ids count up: the finalizer of SplitMix64 spreads them evenly. */
  private static long mix(long id) {
    long z = (id + 1) * 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /**
   * Returns whether {@link #shouldCloseConnection()} may answer yes: a shutdown has begun, or the
   * process is out of service.
   */
  public boolean mayCloseConnections() {
    return mode != Mode.SERVING || outOfService;
  }

  /**
   * Tells that a probe has come by the service's own port: then connections without a counted
   * request are no mistake. {@code Probes.isProbe} calls it itself.
   */
  public void probed() {
    if (!probed) {
      probed = true;
    }
  }

  /**
   * Returns whether a shutdown has begun. From then on an adapter that can must hold a permit until
   * the response is written out, since the connection may end right after it.
   */
  public boolean isEnding() {
    return mode != Mode.SERVING;
  }

  /** Returns how many requests are in flight; a moment's view, for display. */
  public long inFlight() {
    long finished = counters.sumFinished();
    return counters.sumStarted() - finished;
  }
}
