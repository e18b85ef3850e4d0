package io.lastcall.inflight;

import io.lastcall.time.Ticker;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One admission and its release through the gate. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GateShapes {

  /** What all threads share. */
  @State(Scope.Benchmark)
  public static class Shared {
    final RequestGate gate = new GateControl(Ticker.system()).gate();
  }

  private static final AcceptedConnection UNKNOWN = new AcceptedConnection(-1, null, null);

  /** A gate that drains, with one request left on some stripe. */
  @State(Scope.Benchmark)
  public static class Draining {
    final RequestGate gate = new GateControl(Ticker.system()).gate();

    /** Begins the drain. */
    @Setup
    public void drain() {
      gate.count(0, UNKNOWN);
      gate.rampStart = gate.ticker.read();
      gate.mode = RequestGate.Mode.DRAINING;
    }
  }

  /** What one thread has for itself. */
  @State(Scope.Thread)
  public static class Own {
    @Nullable EventLoopPermits<Exchange> loop;

    /** On the thread that uses it. */
    @Setup(Level.Iteration)
    public void bind(Shared shared) {
      loop = new EventLoopPermits<>(shared.gate, shared.gate.accepted(null), Exchange::new);
    }

    /** So that iterations do not add up. */
    @TearDown(Level.Iteration)
    public void unbind() {
      Objects.requireNonNull(loop).close();
    }
  }

  /** As an adapter would write it. */
  static final class Request extends Permit {}

  /** As an adapter would write it. */
  static final class Exchange extends EventLoopPermit {}

  /** A permit for each request. */
  @Benchmark
  public boolean oneShot(Shared shared) {
    Permit permit = new Request();
    return shared.gate.enter(permit) && permit.release();
  }

  /** As {@link #oneShot}, but nobody can list what is in flight: the price of the list. */
  @Benchmark
  public boolean oneShotUnlisted(Shared shared) {
    Permit permit = new Request();
    RequestGate gate = shared.gate;
    int stripe = gate.counters.stripe();
    if (!gate.count(stripe, UNKNOWN)) {
      return false;
    }
    permit.hold(gate, RequestGate.place(stripe, -1));
    return permit.release();
  }

  /** As {@link #oneShot} while the sequence waits for one slow request: who leaves tests. */
  @Benchmark
  public boolean oneShotDraining(Draining draining) {
    Permit permit = new Request();
    return draining.gate.enter(permit) && permit.release();
  }

  /** One of its connection's permits, taken and kept. */
  @Benchmark
  public boolean eventLoop(Own own) {
    EventLoopPermits<Exchange> permits = Objects.requireNonNull(own.loop);
    Exchange permit = permits.take();
    boolean left = permit.enter() && permit.release();
    permits.keep(permit);
    return left;
  }
}
