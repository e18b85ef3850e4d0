package io.lastcall.inflight;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lastcall.time.Ticker;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** What may be counted when threads meet at the gate. In results 1 is yes. */
public final class CountingStress {
  private CountingStress() {}

  private static final class Request extends Permit {}

  private static GateControl open() {
    return new GateControl(Ticker.system());
  }

  private static int yes(boolean value) {
    return value ? 1 : 0;
  }

  /** A request enters while the gate closes: it must not be inside an idle, closed gate. */
  @JCStressTest
  @State
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "admitted, and seen")
  @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "refused")
  @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "refused, seen before it was taken back")
  @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "inside, and nobody knows")
  public static class EnterAgainstClose {
    private final GateControl control = open();

    /** A request. */
    @Actor
    public void enter(II_Result result) {
      result.r1 = yes(control.gate().enter(new Request()));
    }

    /** The sequence. */
    @Actor
    public void close(II_Result result) {
      control.close();
      result.r2 = yes(control.gate().counters.idle());
    }
  }

  /** Enter, exit and close: whatever happens, nobody is left, and the books agree. */
  @JCStressTest
  @State
  @Outcome(id = "1, 0, 1", expect = ACCEPTABLE, desc = "came and went")
  @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "refused")
  @Outcome(expect = FORBIDDEN, desc = "somebody is missing")
  public static class EnterExitClose {
    private final GateControl control = open();

    /** A request. */
    @Actor
    public void request(III_Result result) {
      Permit permit = new Request();
      result.r1 = yes(control.gate().enter(permit));
      permit.release();
    }

    /** The sequence. */
    @Actor
    public void close() {
      control.close();
    }

    /** Afterwards. */
    @Arbiter
    public void books(III_Result result) {
      result.r2 = (int) control.refused();
      result.r3 = yes(control.gate().counters.idle() && control.running().isEmpty());
    }
  }

  /** Two threads release one permit: one of them does. */
  @JCStressTest
  @State
  @Outcome(
      id = {"1, 0, 1", "0, 1, 1"},
      expect = ACCEPTABLE,
      desc = "once")
  @Outcome(expect = FORBIDDEN, desc = "twice, or never")
  public static class DoubleRelease {
    private final GateControl control = open();
    private final Permit permit = new Request();

    /** A request is in flight. */
    public DoubleRelease() {
      control.gate().enter(permit);
    }

    /** Such as the completion. */
    @Actor
    public void first(III_Result result) {
      result.r1 = yes(permit.release());
    }

    /** Such as the timeout. */
    @Actor
    public void second(III_Result result) {
      result.r2 = yes(permit.release());
    }

    /** Afterwards. */
    @Arbiter
    public void books(III_Result result) {
      result.r3 = (int) control.finished();
    }
  }

  /** One request stays; another enters here and ends there, on the thread that tests. */
  @JCStressTest
  @State
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "busy")
  @Outcome(id = "1", expect = FORBIDDEN, desc = "idle with a request inside")
  public static class IdleAgainstHandover {
    private final GateControl control = open();
    private volatile @Nullable Permit handedOver;

    /** A request is in flight. */
    public IdleAgainstHandover() {
      control.gate().enter(new Request());
    }

    /** A container's thread. */
    @Actor
    public void enter() {
      Permit permit = new Request();
      control.gate().enter(permit);
      handedOver = permit;
    }

    /** A completion on another thread. */
    @Actor
    public void exitAndTest(I_Result result) {
      Permit permit = handedOver;
      if (permit != null) {
        permit.release();
      }
      result.r1 = yes(control.gate().counters.idle());
    }
  }

  /** As above with the test on a third thread; needs three cores. */
  @JCStressTest
  @State
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "busy")
  @Outcome(id = "1", expect = FORBIDDEN, desc = "idle with a request inside")
  public static class IdleAgainstAsyncExit {
    private final GateControl control = open();
    private volatile @Nullable Permit handedOver;

    /** A request is in flight. */
    public IdleAgainstAsyncExit() {
      control.gate().enter(new Request());
    }

    /** A container's thread. */
    @Actor
    public void enter() {
      Permit permit = new Request();
      control.gate().enter(permit);
      handedOver = permit;
    }

    /** A completion on another thread. */
    @Actor
    public void exit() {
      Permit permit = handedOver;
      if (permit != null) {
        permit.release();
      }
    }

    /** The sequence. */
    @Actor
    public void test(I_Result result) {
      result.r1 = yes(control.gate().counters.idle());
    }
  }

  /**
   * The negative control: the same counters, summed in the wrong order. Its forbidden result must
   * be seen, or the others prove nothing.
   */
  @JCStressTest
  @State
  @Outcome(id = "0", expect = ACCEPTABLE, desc = "busy")
  @Outcome(id = "1", expect = FORBIDDEN, desc = "idle with a request inside")
  public static class NegativeControl {
    private final GateControl control = open();

    /** A request is in flight. */
    public NegativeControl() {
      control.gate().enter(new Request());
    }

    /** A request comes and goes. */
    @Actor
    public void request() {
      Permit permit = new Request();
      control.gate().enter(permit);
      permit.release();
    }

    /** The sequence, wrong: started first. */
    @Actor
    public void test(I_Result result) {
      long started = control.started();
      result.r1 = yes(started == control.finished());
    }
  }
}
