package io.lastcall;

import io.lastcall.connection.Connections;
import io.lastcall.connection.HttpConnection;
import io.lastcall.connection.Pacer;
import io.lastcall.inflight.GateControl;
import io.lastcall.process.SafeLog;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * The KEEP_SERVING phase, steps aside: routers learn that this process leaves, and its connections
 * are sent away meanwhile.
 */
final class KeepServing {
  /** In the last quarter of the window, connections that are idle are closed one by one. */
  private static final int IDLE_CLOSE_DIVISOR = 4;

  private final Logger log;
  private final Budget budget;
  private final GateControl gate;
  private final Connections longLived;
  private final List<GuardedServer> servers;
  private final PropagationWait wait;
  private final Deadline end;

  /**
   * How many HTTP connections were open when the phase began, long-lived ones aside: each has had
   * the whole phase for a request. 0 where the phase took no time.
   */
  private int openAtFirst;

  /**
   * @param end when the phase is over
   */
  KeepServing(
      Logger log,
      Budget budget,
      GateControl gate,
      Connections longLived,
      List<GuardedServer> servers,
      PropagationWait wait,
      Deadline end) {
    this.log = log;
    this.budget = budget;
    this.gate = gate;
    this.longLived = longLived;
    this.servers = servers;
    this.wait = wait;
    this.end = end;
  }

  /** Returns at the end, or earlier where nobody comes any more. */
  void run() {
    boolean silent = false;
    try {
      openAtFirst = end.hasPassed() ? 0 : openConnections().size() - longLived.open();
      silent = sendAway();
    } catch (Throwable t) {
      // A full heap, say: routers need their time all the same.
      SafeLog.warn(log, "Could not send connections away; serving goes on", t);
    }
    if (!silent) {
      end.awaitPassed(this);
    }
    SafeLog.attempt(this::warnOfWhatIsMissing);
  }

  /** With a part of the adapter forgotten, requests would be cut, and the shutdown called clean. */
  private void warnOfWhatIsMissing() {
    if (gate.started() == 0 && openAtFirst > 0) {
      log.warn(
          "{} HTTP connections were open, and not one request was ever counted: if they bring any,"
              + " the filter or handler that counts them is not in place",
          openAtFirst);
    }
    if (gate.started() > 0 && servers.isEmpty()) {
      log.warn(
          "{} requests were counted, and no server is registered: no listener is closed behind its"
              + " backlog, and connections end with the process; register the server with"
              + " GracefulShutdown.server(...)",
          gate.started());
    }
  }

  /** Returns whether the phase is over early, since nobody comes any more. */
  private boolean sendAway() {
    Duration window = budget.keepServing();
    spread(budget.start().plus(wait.closeRamp(window)).earlier(end), HttpConnection::announce);
    if (end.hasPassed()) {
      return false;
    }
    Deadline idleCloses = end.plus(window.dividedBy(IDLE_CLOSE_DIVISOR).negated());
    Optional<Duration> silence = wait.await(budget.start(), window, idleCloses);
    if (silence.isPresent()) {
      SafeLog.attempt(
          () -> log.info("KEEP_SERVING ends early: {} ms of silence", silence.get().toMillis()));
      return true;
    }
    spread(end, HttpConnection::closeIfIdle);
    return false;
  }

  /** Tells every open connection, spread over what is left until {@code last}. */
  private void spread(Deadline last, Consumer<HttpConnection> what) {
    Pacer.spread(
        openConnections(),
        last.remaining(),
        last,
        () -> false,
        connection -> GuardedServer.tell(connection, what));
  }

  private List<HttpConnection> openConnections() {
    List<HttpConnection> open = new ArrayList<>();
    servers.forEach(server -> open.addAll(server.connections()));
    return open;
  }
}
