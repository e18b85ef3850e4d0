package io.lastcall.inflight;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Whether the drain is woken, whoever makes the gate idle. In results 1 is yes. */
public final class WakingStress {
  private WakingStress() {}

  private static final class Request extends Permit {}

  /** Notices a park that nobody ended. */
  private static final class Watch implements Ticker {
    private static final long NOBODY_CAME = TimeUnit.SECONDS.toNanos(2);

    private boolean missed;

    @Override
    public long read() {
      return 0; // no deadline ever passes
    }

    @Override
    public void parkUntil(Object blocker, long time) {
      long start = System.nanoTime();
      LockSupport.parkNanos(blocker, NOBODY_CAME);
      missed |= System.nanoTime() - start >= NOBODY_CAME;
    }
  }

  private abstract static class Drained {
    final Watch watch = new Watch();
    final GateControl control = new GateControl(watch);
    final Permit permit = new Request();

    Drained() {
      control.gate().enter(permit);
    }

    final void drain(II_Result result) {
      boolean idle = control.awaitIdle(new Deadline(watch, 1));
      result.r1 = idle && !watch.missed ? 1 : 0;
    }
  }

  /** The last request leaves while the drain begins. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "woken, or need not wait")
  @Outcome(expect = FORBIDDEN, desc = "nobody wakes the drain")
  public static class LastExitAgainstDrain extends Drained {

    /** The sequence. */
    @Actor
    public void sequence(II_Result result) {
      drain(result);
    }

    /** The last request. */
    @Actor
    public void exit(II_Result result) {
      result.r2 = permit.release() ? 1 : 0;
    }
  }

  /** DRAIN has timed out: a request ends by being told, and another one never ends. */
  @JCStressTest
  @State
  @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "waited for it, and no longer")
  @Outcome(expect = FORBIDDEN, desc = "not waited for, or nobody says that it has left")
  public static class AnswerAgainstGiveUp extends Drained {
    private final Permit answers =
        new Permit() {
          @Override
          protected boolean giveUp() {
            return true;
          }
        };

    /** Both are in flight. */
    public AnswerAgainstGiveUp() {
      control.gate().enter(answers);
    }

    /** The sequence. */
    @Actor
    public void sequence(II_Result result) {
      control.giveUp(new Deadline(watch, 1));
      result.r1 = !answers.isHeld() && !watch.missed ? 1 : 0;
    }

    /** The request that ends. */
    @Actor
    public void exit(II_Result result) {
      result.r2 = answers.release() ? 1 : 0;
    }
  }

  /**
   * A request is refused while the last one leaves; either may be the one that has to wake. Needs
   * three cores; on two, {@link RefusalRace} does what it can.
   */
  @JCStressTest
  @State
  @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "woken, or need not wait")
  @Outcome(expect = FORBIDDEN, desc = "nobody wakes the drain")
  public static class RefusedAgainstLastExit extends Drained {

    /** Late requests are refused. */
    public RefusedAgainstLastExit() {
      control.refuse();
    }

    /** The sequence. */
    @Actor
    public void sequence(II_Result result) {
      drain(result);
    }

    /** The last request. */
    @Actor
    public void exit() {
      permit.release();
    }

    /** A late one. */
    @Actor
    public void enter(II_Result result) {
      result.r2 = control.gate().enter(new Request()) ? 1 : 0;
    }
  }
}
