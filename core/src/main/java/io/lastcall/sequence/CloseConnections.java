package io.lastcall.sequence;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.plan.Durations;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** CLOSE_CONNECTIONS: long-lived connections first, then the user's steps, which close pools. */
final class CloseConnections implements PhaseRun {
  /** The shortest time between two connections that are told to close. */
  private static final Duration CLOSE_INTERVAL = Duration.ofMillis(2);

  /** The longest time over which connections are told to close: clients do not return at once. */
  private static final Duration CLOSE_WINDOW = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private final ShutdownContext context;

  CloseConnections(ShutdownContext context) {
    this.context = context;
  }

  @Override
  public Phase phase() {
    return Phase.CLOSE_CONNECTIONS;
  }

  @Override
  public Deadline deadline() {
    List<Step> closers = context.service().registrations().steps(Phase.CLOSE_CONNECTIONS);
    return context.budget().closeEnd(!closers.isEmpty());
  }

  @Override
  public Optional<String> describe(Deadline end) {
    int open = context.service().open();
    return open == 0
        ? Optional.empty()
        : Optional.of(
            "Closing "
                + HangReport.counted(open, "long-lived connection")
                + ", for up to "
                + end.remaining().toMillis()
                + " ms");
  }

  /**
   * Connections have {@code close-timeout}, steps the whole phase. Where there are steps,
   * connections leave them half of it. Half of a connection's time is for its client's answer: the
   * last one told needs it as the first did.
   */
  @Override
  public boolean run(Deadline end) {
    List<Step> closers = context.beginSteps(Phase.CLOSE_CONNECTIONS);
    Deadline timeout = end.atMost(context.plan().closeTimeout());
    Deadline closedBy = closers.isEmpty() ? timeout : timeout.atMost(end.remaining().dividedBy(2));
    Duration paced = CLOSE_INTERVAL.multipliedBy(context.service().open());
    Duration longest = Durations.min(CLOSE_WINDOW, closedBy.remaining().dividedBy(2));
    closeAll(Durations.min(paced, longest), closedBy);
    boolean ran = context.steps().run(closers, end);
    return ran && context.service().open() == 0;
  }

  /**
   * On a thread of its own: a container may call the application within a close, which may block.
   */
  private void closeAll(Duration window, Deadline deadline) {
    ConnectionControl connections = context.service().connections();
    BooleanSupplier body = () -> connections.closeAll(window, deadline);
    ConcurrentTask closing =
        context.service().open() == 0
            ? ConcurrentTask.here("closer", body)
            : ConcurrentTask.start("closer", body);
    closing.await(deadline);
    if (!closing.isDone() && !connections.areAllToldToClose()) {
      ShutdownLog.warn(
          log,
          "CLOSE_CONNECTIONS goes on: telling a connection to close does not end; it is{}",
          Threads.stack(closing.thread()));
    }
  }
}
