package io.lastcall;

import io.lastcall.connection.DrainableServer.Counting;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.sequence.GuardedServer;
import io.lastcall.sequence.Service;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for mistakes in the installation while they can be fixed, each of which would make a
 * shutdown lose requests. Looks every five seconds and as start-up ends, on a thread of its own,
 * until a request was counted, a server is registered and start-up is over; each mistake is logged
 * once.
 */
final class WiringCheck {
  private static final Logger log = LoggerFactory.getLogger(GracefulShutdown.class);

  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** How long after {@code install()} a process may go on starting. */
  private static final Duration START_UP = Duration.ofMinutes(1);

  /** Frames that are shown of a stack, those of the JDK not counted. */
  private static final int FRAMES = 12;

  /** How often in a row connections without a counted request are seen before it is a mistake. */
  private static final int UNCOUNTED_LOOKS = 3;

  private final ShutdownState state;
  private final Readiness readiness;
  private final Service service;
  private final Set<String> logged = new HashSet<>();
  private final Thread thread = Threads.daemon("wiring", this::run);

  /** Whose stack shows what start-up is at, such as a runner that never returns. */
  private final Thread installer = Thread.currentThread();

  private final Deadline startUpEnd;
  private int uncountedLooks;
  private volatile boolean stopped;
  private volatile boolean startedJustNow;

  WiringCheck(ShutdownState state, Readiness readiness, Service service) {
    this.state = state;
    this.readiness = readiness;
    this.service = service;
    startUpEnd = Deadline.after(START_UP, state.ticker());
  }

  void start() {
    thread.start();
  }

  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
  }

  /** Start-up is over: what can be seen of the servers is looked at now. */
  void started() {
    startedJustNow = true;
    LockSupport.unpark(thread);
  }

  private boolean isOver() {
    return stopped || !state.isIdle();
  }

  private void run() {
    boolean settled = false;
    while (!settled) {
      boolean early =
          Deadline.after(PERIOD, state.ticker()).await(this, () -> startedJustNow || isOver());
      startedJustNow = false;
      if (isOver()) {
        return;
      }
      lookAtServers();
      settled = !early && look();
    }
  }

  private void lookAtServers() {
    for (GuardedServer server : service.registrations().servers()) {
      Set<String> others = server.unregistered();
      if (!others.isEmpty()) {
        warn(
            "%s has %s, which is not registered: its requests are not drained. Register it, too"
                .formatted(server.name(), String.join(", ", others)));
      }
      if (server.counting() == Counting.MISSING) {
        warn(
            "%s runs without the filter or handler that counts its requests: a shutdown would cut"
                    .formatted(server.name())
                + " them all. Add it to the application");
      }
    }
  }

  /** Returns whether there is nothing left to find. */
  private boolean look() {
    boolean counted = service.gate().started() > 0;
    boolean hasServer = service.registrations().hadServer();
    if (counted && !hasServer) {
      warn(
          "Requests are counted, and no server is registered: no listener would be closed after its"
              + " backlog. Register it with GracefulShutdown.server(...)");
    }
    uncountedLooks = service.hasUncountedConnections() ? uncountedLooks + 1 : 0;
    if (uncountedLooks == UNCOUNTED_LOOKS) {
      service.registrations().doubtCounting();
      warn(
          "HTTP connections stay open, and not one request was counted: the filter or handler that"
              + " counts them is not in place");
    }
    // A job without a server or a probe may start for as long as it runs.
    boolean isAsked = service.isRouted() || service.gate().sawProbe();
    if (isAsked && !readiness.isStarted() && startUpEnd.hasPassed()) {
      warn(
          "A minute has passed since install(), and GracefulShutdown.started() was not called: until"
              + " then the process is not ready, and a stop signal drains no request",
          this::installerNow);
    }
    return counted && hasServer && readiness.isStarted();
  }

  private String installerNow() {
    String frames =
        Stream.of(installer.getStackTrace())
            .filter(frame -> !"java.base".equals(frame.getModuleName()))
            .limit(FRAMES)
            .map(frame -> "\n      at " + frame)
            .collect(Collectors.joining());
    return frames.isEmpty()
        ? ""
        : ". The thread that installed it, " + installer.getName() + ", is now" + frames;
  }

  private void warn(String mistake) {
    warn(mistake, () -> "");
  }

  private void warn(String mistake, Supplier<String> detail) {
    if (logged.add(mistake)) {
      ShutdownLog.warn(log, "{}{}", mistake, detail.get());
    }
  }
}
