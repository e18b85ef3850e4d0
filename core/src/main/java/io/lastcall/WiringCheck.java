package io.lastcall;

import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.sequence.GuardedServer;
import io.lastcall.sequence.Service;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for mistakes in the installation while they can be fixed, each of which would make a
 * shutdown lose requests. Looks every five seconds, on a thread of its own, until a request was
 * counted, a server is registered and start-up is over; each mistake is logged once.
 */
final class WiringCheck {
  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** How long after its first request a process may go on starting. */
  private static final Duration START_UP = Duration.ofMinutes(1);

  /** How often in a row connections without a counted request are seen before it is a mistake. */
  private static final int UNCOUNTED_LOOKS = 3;

  private final ShutdownState state;
  private final Readiness readiness;
  private final Service service;
  private final Set<String> logged = new HashSet<>();
  private final Thread thread = Threads.daemon("wiring", this::run);

  private @Nullable Deadline firstRequest;
  private int uncountedLooks;
  private volatile boolean stopped;

  WiringCheck(ShutdownState state, Readiness readiness, Service service) {
    this.state = state;
    this.readiness = readiness;
    this.service = service;
  }

  void start() {
    thread.start();
  }

  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    boolean settled = false;
    while (!settled
        && !Deadline.after(PERIOD, state.ticker()).await(this, () -> stopped || !state.isIdle())) {
      settled = look();
    }
  }

  /** Returns whether there is nothing left to find. */
  private boolean look() {
    boolean counted = service.gate().started() > 0;
    if (counted && firstRequest == null) {
      firstRequest = Deadline.after(Duration.ZERO, state.ticker());
    }
    boolean hasServer = service.registrations().hadServer();
    if (counted && !hasServer) {
      warn(
          "Requests are counted, and no server is registered: no listener would be closed after its"
              + " backlog. Register it with GracefulShutdown.server(...)");
    }
    uncountedLooks = service.hasUncountedConnections() ? uncountedLooks + 1 : 0;
    if (uncountedLooks == UNCOUNTED_LOOKS) {
      warn(
          "HTTP connections stay open, and not one request was counted: the filter or handler that"
              + " counts them is not in place");
    }
    Deadline first = firstRequest;
    if (!readiness.isStarted() && first != null && first.plus(START_UP).hasPassed()) {
      warn(
          "Requests have come for a minute, and GracefulShutdown.started() was not called: the"
              + " process is never ready, and a stop signal drains nothing");
    }
    for (GuardedServer server : service.registrations().servers()) {
      Set<String> others = server.unregistered();
      if (!others.isEmpty()) {
        warn(
            "%s has %s, which is not registered: its requests are not drained. Register it, too"
                .formatted(server.name(), String.join(", ", others)));
      }
    }
    return counted && hasServer && readiness.isStarted();
  }

  private void warn(String mistake) {
    if (logged.add(mistake)) {
      ShutdownLog.warn(log, "{}", mistake);
    }
  }
}
