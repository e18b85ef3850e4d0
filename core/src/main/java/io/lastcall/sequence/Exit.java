package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.time.Deadline;
import java.util.ArrayList;
import java.util.List;

/** EXIT, up to the report: servers stop, concurrently with the user's steps of order 0. */
final class Exit extends PhaseRun {
  Exit(ShutdownContext context) {
    super(Phase.EXIT, context);
  }

  @Override
  Deadline deadline() {
    return context.budget().exitEnd();
  }

  @Override
  boolean run(Deadline end) {
    List<Step> steps = new ArrayList<>(context.beginSteps(phase));
    context.servers().forEach(server -> steps.add(server.stop()));
    return context.steps().run(steps, end);
  }
}
