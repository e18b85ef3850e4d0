package io.lastcall.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.CapturedLog;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PhaseRunTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final ManualTicker ticker = new ManualTicker();
  private final List<Phase> ended = new ArrayList<>();

  private ShutdownContext context() {
    ShutdownPlan plan = ShutdownPlan.of(new SettingSources(Map.of(), new Properties()));
    return ShutdownContext.begin(
        () -> plan,
        new Trigger(Trigger.Kind.REQUEST, "test"),
        true,
        Deadline.after(Duration.ZERO, ticker),
        Service.of(new Registrations(), ticker));
  }

  /** Whatever fails, the next phase follows: also where the phase cannot say when it ends. */
  @Test
  void execute_deadlineFails_isLoggedAndThePhaseEnds() {
    ShutdownContext context = context();
    PhaseRun broken =
        new PhaseRun(Phase.DRAIN, context) {
          @Override
          Deadline deadline() {
            throw new IllegalStateException("a bug");
          }

          @Override
          boolean run(Deadline end) {
            throw new AssertionError("runs without an end");
          }
        };
    broken.execute(new BrokenEndpoint());
    assertEquals(List.of(Phase.DRAIN), ended);
    assertFalse(context.report(true).phases().get(0).complete());
    log.awaitLogged("DRAIN failed; the next phase follows in its time");
    log.awaitLogged("The end of DRAIN was not announced");
  }

  private final class BrokenEndpoint implements Endpoint {
    @Override
    public void failReadiness() {}

    @Override
    public Duration readinessPeriod() {
      return Duration.ZERO;
    }

    @Override
    public boolean isPodDeleted() {
      return false;
    }

    @Override
    public void phaseEnded(Phase phase) {
      ended.add(phase);
      throw new IllegalStateException("another bug");
    }
  }
}
