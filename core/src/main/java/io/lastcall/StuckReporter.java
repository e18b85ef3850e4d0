package io.lastcall;

import io.lastcall.inflight.GateControl;
import io.lastcall.inflight.InFlightRequest;
import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Says what is stuck, in words: steps and requests with their age and stack. Best effort.
 *
 * @param looksEnd when no stack is looked at any more: a look stops its thread, on JDK 17 all of
 *     them, and where very many compute on few processors one takes seconds
 */
record StuckReporter(Deadline looksEnd) {
  /** How long stacks may be looked at where no deadline is near: usually one takes far less. */
  static final Duration LOOKS = Duration.ofMillis(100);

  /** Frames shown of a stack: enough to see who waits for what, few enough for a log line. */
  private static final int FRAMES = 12;

  /** Requests that are shown: to collect stacks takes time that the exit is short of. */
  private static final int REQUESTS = 20;

  /** Describes the steps and requests that run now. */
  String describe(Collection<RunningStep> steps, GateControl gate) {
    StringBuilder text = new StringBuilder();
    for (RunningStep step : steps) {
      text.append("\n  step '").append(step.name()).append("':").append(look(step.thread()));
    }
    return text.append(requests(gate)).toString();
  }

  /** Describes the requests in flight: some, and each thread's stack once. */
  String requests(GateControl gate) {
    List<InFlightRequest> shown = gate.running().stream().limit(REQUESTS).toList();
    Set<Thread> known = new HashSet<>();
    StringBuilder text = new StringBuilder();
    for (InFlightRequest request : shown) {
      text.append("\n  request ").append(request.description());
      request.age().ifPresent(age -> text.append(", ").append(age.toMillis()).append(" ms old"));
      request
          .thread()
          .ifPresent(
              thread ->
                  text.append(known.add(thread) ? look(thread) : ", also on " + thread.getName()));
    }
    long more = gate.gate().inFlight() - shown.size();
    if (more > 0) {
      text.append("\n  and ").append(more).append(" more requests");
    }
    return text.toString();
  }

  /** Describes the threads that were started since {@code before}: once in exit, other hooks. */
  String startedSince(Set<Thread> before) {
    return threads(thread -> !before.contains(thread));
  }

  /** Describes the threads that are no daemons, among them most hooks. */
  String users() {
    return threads(thread -> !thread.isDaemon());
  }

  private String threads(Predicate<Thread> which) {
    return Threads.alive().stream()
        .filter(which)
        .map(thread -> "\n  thread " + thread.getName() + ":" + look(thread))
        .collect(Collectors.joining());
  }

  private String look(Thread thread) {
    return looksEnd.hasPassed() ? " (no time for its stack)" : stack(thread);
  }

  /** Returns a thread's stack, a frame a line. */
  static String stack(Thread thread) {
    StackTraceElement[] frames = thread.getStackTrace();
    if (frames.length == 0) {
      return " " + thread.getState();
    }
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < Math.min(FRAMES, frames.length); i++) {
      text.append("\n      at ").append(frames[i]);
    }
    return text.toString();
  }
}
