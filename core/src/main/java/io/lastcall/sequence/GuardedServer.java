package io.lastcall.sequence;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.DrainableServer.Counting;
import io.lastcall.connection.HttpConnection;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server whose failures cannot change the course of a shutdown: a server that throws counts as
 * one without connections, which nothing waits for. Thread-safe.
 */
public final class GuardedServer {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  /** How often connections that were opened meanwhile are asked to leave. */
  static final Duration ANNOUNCE_AGAIN = Duration.ofMillis(500);

  /**
   * In the last quarter of DRAIN busy connections of HTTP/2 are asked again: JDK clients before 24
   * drop what they have in flight at a GOAWAY (JDK-8335181), so that may not come before.
   */
  private static final int ASK_AGAIN_DIVISOR = 4;

  private final DrainableServer server;

  /** What has failed and was logged: connections are listed several times a second. */
  private final Set<String> failed = ConcurrentHashMap.newKeySet();

  /** The connections that were asked to leave: a busy one leaves only if asked again. */
  private final Set<HttpConnection> asked = ConcurrentHashMap.newKeySet();

  private volatile boolean stopsListening;

  GuardedServer(DrainableServer server) {
    this.server = server;
  }

  /** Returns the server itself. */
  public DrainableServer server() {
    return server;
  }

  /** Returns the server's name in one line; the name of its class if it has none. */
  public String name() {
    return guard(
        "ask {} for its name",
        () -> String.valueOf(server.name()).replaceAll("\\p{Cc}", "?"),
        server.getClass().getName());
  }

  /** Returns the names of other listeners of the same server that are not registered. */
  public Set<String> unregistered() {
    return guard(
        "ask {} for its other listeners", () -> Set.copyOf(server.unregistered()), Set.of());
  }

  /** Returns whether the filter or handler that counts its requests is in place. */
  public Counting counting() {
    return guard("ask {} what counts its requests", server::counting, Counting.UNKNOWN);
  }

  /** Returns a copy: the server's own collection may change, or fail, while it is read. */
  List<HttpConnection> connections() {
    return guard("list the connections of {}", () -> List.copyOf(server.connections()), List.of());
  }

  /** Returns whether it lists its connections; if not, it has the coarse role. */
  boolean listsConnections() {
    return guard("ask {} whether it lists its connections", server::listsConnections, false);
  }

  /** Returns how many connections all of {@code servers} have open. */
  static long open(List<GuardedServer> servers) {
    return servers.stream().mapToLong(server -> server.connections().size()).sum();
  }

  /** As {@link #open}, of servers that do not know whether their requests are counted. */
  static long openInDoubt(List<GuardedServer> servers) {
    return open(servers.stream().filter(server -> server.counting() == Counting.UNKNOWN).toList());
  }

  /** Calls {@code action} for each connection. */
  void forEach(Consumer<HttpConnection> action) {
    connections().forEach(connection -> call(connection, action));
  }

  /** Asks each connection to leave: once, or again where a busy one must not wait any longer. */
  void announceClose(boolean again) {
    connections().forEach(connection -> announceClose(connection, again));
  }

  /** Asks a connection to leave: once, or again where a busy one must not wait any longer. */
  void announceClose(HttpConnection connection, boolean again) {
    if (asked.add(connection) || again) {
      call(connection, HttpConnection::announceClose);
    }
  }

  /**
   * Returns when busy connections are asked again: in the last quarter of DRAIN, and two looks
   * before requests are refused, since a client needs one to hear.
   *
   * @param end of DRAIN
   */
  static Deadline askAgain(Deadline end, Deadline refuseAt) {
    Deadline lastQuarter = end.plus(end.remaining().dividedBy(ASK_AGAIN_DIVISOR).negated());
    return lastQuarter.earlier(refuseAt.plus(ANNOUNCE_AGAIN.multipliedBy(2).negated()));
  }

  void call(HttpConnection connection, Consumer<HttpConnection> action) {
    var unused =
        guard(
            "tell a connection of {} to leave",
            () -> {
              action.accept(connection);
              return true;
            },
            false);
  }

  /** Returns whether the response of one of the connections is not sent yet. */
  boolean isAnswering() {
    return connections().stream()
        .anyMatch(
            connection ->
                guard("ask a connection of {} for its response", connection::isAnswering, false));
  }

  /** Runs {@code then} once no connection waits for an answer. */
  void whenConnectionsEnded(Runnable then) {
    boolean awaited =
        guard(
            "await the connections of {}",
            () -> {
              server.connectionsEnded().whenComplete((nothing, failure) -> then.run());
              return true;
            },
            false);
    if (!awaited) {
      then.run();
    }
  }

  /** Tells whether the connections of every server ended; the last to end wakes this thread. */
  static BooleanSupplier connectionsEnded(List<GuardedServer> servers) {
    Thread waiter = Thread.currentThread();
    AtomicInteger open = new AtomicInteger(servers.size());
    for (GuardedServer server : servers) {
      server.whenConnectionsEnded(
          () -> {
            open.getAndDecrement();
            LockSupport.unpark(waiter);
          });
    }
    return () -> open.get() == 0;
  }

  /** Returns whether {@link #stopListening} was asked for. */
  boolean stopsListening() {
    return stopsListening;
  }

  Step stopListening(Phase phase) {
    stopsListening = true;
    return Step.of(
        phase, "stop listening " + name(), step -> server.stopListening(step.deadline()));
  }

  Step stop() {
    return Step.of(Phase.EXIT, "stop " + name(), step -> server.stop(step.deadline()));
  }

  /**
   * A callback that throws, or leaves the interrupt flag set, must not affect the others.
   *
   * @param what the callback does, for the log, with {} for the server's name
   */
  private <T> T guard(String what, Supplier<T> callback, T otherwise) {
    try {
      return callback.get();
    } catch (Throwable t) {
      if (failed.add(what)) {
        ShutdownLog.warn(log, "Could not " + what, name(), t);
      }
      return otherwise;
    } finally {
      Thread.interrupted();
    }
  }
}
