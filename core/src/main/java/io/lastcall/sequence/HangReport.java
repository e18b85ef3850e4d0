package io.lastcall.sequence;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.process.Threads;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Describes in words what hangs: steps, requests and threads with their age and stack.
 *
 * @param looksEnd when no stack is taken any more: taking one stops its thread, on JDK 17 all
 *     threads, and with many busy threads on few processors that takes seconds
 */
record HangReport(Deadline looksEnd) {
  /** How long stacks may be taken where no deadline is near: usually it takes far less. */
  private static final Duration LOOKS = Duration.ofMillis(100);

  /** Requests that are shown: stacks take time that the exit is short of. */
  private static final int REQUESTS = 20;

  /** Returns one that takes stacks for a moment only. */
  static HangReport soon(Deadline any) {
    return new HangReport(Deadline.after(LOOKS, any.ticker()));
  }

  /** Describes the steps and requests that run now. */
  String describe(ShutdownContext context) {
    StringBuilder text = new StringBuilder();
    for (RunningStep step : context.steps().running()) {
      text.append("\n  step '").append(step.name()).append("':").append(look(step.thread()));
    }
    return text.append(requests(context.service())).toString();
  }

  /** Describes requests in flight and open work: some of them, and each thread's stack once. */
  String requests(Service service) {
    List<InFlightRequest> all = service.running();
    List<InFlightRequest> shown = all.stream().limit(REQUESTS).toList();
    Set<Thread> known = new HashSet<>();
    StringBuilder text = new StringBuilder();
    for (InFlightRequest request : shown) {
      text.append("\n  ").append(request.description());
      request.age().ifPresent(age -> text.append(", ").append(age.toMillis()).append(" ms old"));
      request
          .thread()
          .ifPresent(
              thread ->
                  text.append(known.add(thread) ? look(thread) : ", also on " + thread.getName()));
    }
    int more = all.size() - shown.size();
    if (more > 0) {
      text.append("\n  and ").append(more + " more");
    }
    return text.toString();
  }

  /** Describes the threads that were started since {@code before}: once in the exit, JVM hooks. */
  String startedSince(Set<Thread> before) {
    return threads(thread -> !before.contains(thread));
  }

  /** Describes the threads that are no daemons, most JVM hooks among them. */
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
    return looksEnd.hasPassed() ? " (no time for its stack)" : Threads.stack(thread);
  }

  static String counted(long count, String what) {
    return count + " " + what + (count == 1 ? "" : "s");
  }
}
