package io.lastcall;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Threads;
import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.helpers.NOPLogger;

/**
 * A shutdown of nobody, run once beside the real one while that waits. A JVM loads and links code
 * at its first use: without this, it would do so between the last response and the exit, for half
 * of that time.
 */
final class Rehearsal {
  private static final String NAME = "rehearsal";

  private Rehearsal() {}

  /**
   * Runs it.
   *
   * @param start the real trigger
   * @param servers the real servers: each may rehearse its own part
   */
  static void run(
      Deadline start, ShutdownPlan plan, ArrivalHistory history, List<GuardedServer> servers) {
    servers.forEach(GuardedServer::rehearse);
    GateControl gate = new GateControl(start.ticker());
    Participants nobody = nobody();
    Budget budget = new Budget(plan, Kind.JVM_EXIT, start);
    Sequence sequence =
        new Sequence(
            NOPLogger.NOP_LOGGER,
            new Trigger(Kind.JVM_EXIT, NAME),
            budget,
            nobody,
            gate,
            new ConnectionControl(),
            new PropagationWait(plan, gate, history),
            new Notifier(nobody::listeners),
            new Milestones() {});
    sequence.run();
    ShutdownReport report = sequence.report(false);
    ReportWriter writer =
        new ReportWriter(NOPLogger.NOP_LOGGER, Path.of("/nowhere/" + NAME), Optional.empty());
    writer.write(report);
    sequence.publish(report, ShutdownReport::summary, budget.publishEnd());
    writer.awaitFile(start);
  }

  private static Participants nobody() {
    Participants nobody = new Participants();
    nobody.add(new ShutdownListener() {});
    nobody.add(new NoServer());
    for (Phase phase : Phase.values()) {
      nobody.add(Step.of(phase, NAME, context -> {}));
    }
    return nobody;
  }

  /** Has one connection, which ends when it is told to. */
  private static final class NoServer implements DrainableServer, HttpConnection {
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Collection<? extends HttpConnection> connections() {
      return List.of(this);
    }

    @Override
    public void closeIfIdle() {
      Threads.start(Threads.daemon(NAME, () -> ended.complete(null)));
    }

    @Override
    public CompletionStage<?> connectionsEnded() {
      return ended;
    }

    @Override
    public void stopListening(Deadline deadline) {}

    @Override
    public void stop(Deadline deadline) {}
  }
}
