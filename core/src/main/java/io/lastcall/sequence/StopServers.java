package io.lastcall.sequence;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** EXIT, up to the report: servers stop, concurrently with the user's steps of order 0. */
final class StopServers implements PhaseRun {
  private final ShutdownContext context;

  StopServers(ShutdownContext context) {
    this.context = context;
  }

  @Override
  public Phase phase() {
    return Phase.EXIT;
  }

  @Override
  public Deadline deadline() {
    return context.budget().exitEnd();
  }

  @Override
  public Optional<String> describe(Deadline end) {
    return Optional.empty();
  }

  @Override
  public boolean run(Deadline end) {
    List<Step> steps = new ArrayList<>(context.beginSteps(Phase.EXIT));
    for (GuardedServer server : context.servers()) {
      steps.add(Step.of(Phase.EXIT, "stop " + server.name(), step -> server.stop(step.deadline())));
    }
    return context.steps().run(steps, end);
  }
}
