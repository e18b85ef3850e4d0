package io.lastcall.sequence;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.process.Threads;
import io.lastcall.text.Words;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Describes in words what hangs: steps, requests and threads with their age and stack.
 *
 * @param stacksEnd when no stack is taken any more: taking one stops its thread, on JDK 17 all
 *     threads, and with many busy threads on few processors that takes seconds
 */
record HangReport(Deadline stacksEnd) {
  /** Requests that are shown: stacks take time that the exit is short of. */
  private static final int REQUESTS = 20;

  /** Describes the steps and requests that run now. */
  String describe(ShutdownContext context) {
    return context.steps().running().stream()
            .map(step -> "\n  step '" + step.step.name() + "':" + stack(step.thread()))
            .collect(Collectors.joining())
        + requests(context.service());
  }

  /** Describes requests in flight and open work: some of them, and each thread's stack once. */
  String requests(Service service) {
    List<InFlightRequest> requests = service.gate().running();
    List<InFlightRequest> work = service.work().running();
    Set<Thread> known = new HashSet<>();
    int shownWork = Math.max(0, REQUESTS - requests.size());
    int more = Math.max(0, requests.size() - REQUESTS) + Math.max(0, work.size() - shownWork);
    StringBuilder text = new StringBuilder();
    requests.stream().limit(REQUESTS).forEach(each -> append(text, "request", each, known));
    work.stream().limit(shownWork).forEach(each -> append(text, "work", each, known));
    service.work().unfinishedSources().forEach(source -> text.append("\n  ").append(source));
    return more == 0 ? text.toString() : text + "\n  and " + more + " more";
  }

  private void append(StringBuilder text, String kind, InFlightRequest each, Set<Thread> known) {
    text.append("\n  ").append(kind).append(' ').append(withAge(each));
    each.thread()
        .ifPresent(
            thread ->
                text.append(known.add(thread) ? stack(thread) : ", also on " + thread.getName()));
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
        .map(thread -> "\n  thread " + thread.getName() + ":" + stack(thread))
        .collect(Collectors.joining());
  }

  private String stack(Thread thread) {
    return stacksEnd.hasPassed() ? " (no time for its stack)" : Threads.stack(thread);
  }

  /** Describes in one line what DRAIN waits for. */
  static String progress(Service service) {
    String outstanding = service.outstanding();
    if (outstanding.isEmpty()) {
      long open = GuardedServer.open(service.registrations().servers());
      return Words.counted(open, "connection") + " still open";
    }
    String oldest =
        service.inProgress().running().stream()
            .max(Comparator.comparing(request -> request.age().orElse(Duration.ZERO)))
            .map(
                request ->
                    ", the oldest "
                        + withAge(request)
                        + request.thread().map(runs -> ", on " + runs.getName()).orElse(""))
            .orElse("");
    return outstanding + oldest;
  }

  private static String withAge(InFlightRequest request) {
    return request.description()
        + request.age().map(age -> ", " + age.toMillis() + " ms old").orElse("");
  }
}
