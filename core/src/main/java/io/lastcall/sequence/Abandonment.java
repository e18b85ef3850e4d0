package io.lastcall.sequence;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.InFlightRequest;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.plan.Durations;
import io.lastcall.process.ShutdownLog;
import io.lastcall.text.Words;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Ends, once, what a phase has waited for in vain: hands back, answers, closes, interrupts.
 * Requests whose client has gone are released before that.
 */
final class Abandonment {
  /** How long handing work back may take, out of the time of CLOSE_CONNECTIONS: at most half. */
  private static final Duration HAND_BACK = Duration.ofSeconds(1);

  /** How long answering unfinished requests may take where no later phase needs the time. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

  private static final int MOST_NAMED = 5;

  private final ShutdownContext context;
  private boolean done;

  Abandonment(ShutdownContext context) {
    this.context = context;
  }

  boolean isDone() {
    return done;
  }

  /**
   * Hands work back, answers unfinished requests, as far as servers can, closes their connections,
   * and interrupts jobs and tasks.
   */
  void run(Deadline end) {
    if (done) {
      return;
    }
    done = true;
    handBack(end);
    // First: a request that is answered now ends by that, and was not served.
    context.recorder().endDrain(false);
    context.recorder().endWork(false);
    Step answer =
        Step.of(
            Phase.DRAIN,
            "answer what still runs",
            step -> {
              // Ends before the step's deadline, at which it would count as hanging.
              Duration most = step.deadline().remaining().multipliedBy(3).dividedBy(4);
              context.gate().giveUp(step.deadline().atMost(most));
            });
    Deadline answered = context.budget().drainLatest().atMost(LAST_ANSWERS);
    var unused = context.steps().run(List.of(answer), Drain.lateLimit(answered, end));
    context.servers().forEach(server -> server.forEach(HttpConnection::forceClose));
    context.service().work().interrupt();
  }

  /** As {@link #run}, where requests have ended. */
  void runForWork(Deadline end) {
    handBack(end);
    context.recorder().endWork(false);
    context.service().work().interrupt();
  }

  /** A client that has gone is given a second, in which it is seen three times, and no longer. */
  void releaseGone() {
    List<InFlightRequest> released = context.gate().releaseAbandoned();
    if (!released.isEmpty()) {
      ShutdownLog.info(
          PhaseRun.log,
          "DRAIN goes on without {}, abandoned by {}: {}",
          Words.counted(released.size(), "request"),
          released.size() == 1 ? "its client" : "their clients",
          released.stream()
              .map(InFlightRequest::description)
              .distinct()
              .limit(MOST_NAMED)
              .collect(Collectors.joining(", ")));
    }
  }

  private void handBack(Deadline end) {
    Duration time = Durations.min(HAND_BACK, context.plan().closeTimeout().dividedBy(2));
    Deadline limit = Drain.lateLimit(Deadline.after(time, end.ticker()), end);
    var unused = context.steps().run(context.service().work().handBacks(), limit);
  }
}
