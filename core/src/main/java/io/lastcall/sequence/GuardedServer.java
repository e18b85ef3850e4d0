package io.lastcall.sequence;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server whose failures cannot change the course of a shutdown: where it throws, it counts as a
 * server without connections, which nothing waits for. Thread-safe.
 */
public final class GuardedServer {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private final DrainableServer server;

  /** Whether a failed listing was logged: connections are listed several times a second. */
  private volatile boolean failedToList;

  GuardedServer(DrainableServer server) {
    this.server = server;
  }

  /** Returns its name in one line; its class's where it has none. */
  public String name() {
    try {
      return String.valueOf(server.name()).replaceAll("\\p{Cc}", "?");
    } catch (Throwable t) {
      ShutdownLog.warn(log, "Could not ask a server for its name", t);
      return server.getClass().getName();
    }
  }

  /** Returns the names of other listeners of the same server that nobody registered. */
  public Set<String> unregistered() {
    try {
      return Set.copyOf(server.unregistered());
    } catch (Throwable t) {
      ShutdownLog.debug(log, "Could not ask a server for its other listeners", t);
      return Set.of();
    }
  }

  /** Returns a copy: the server's own collection may change, or fail, while it is walked. */
  List<HttpConnection> connections() {
    try {
      return List.copyOf(server.connections());
    } catch (Throwable t) {
      if (!failedToList) {
        failedToList = true;
        ShutdownLog.warn(log, "Could not list the connections of {}", name(), t);
      }
      return List.of();
    }
  }

  /** Returns how many connections all of {@code servers} have open. */
  static long open(List<GuardedServer> servers) {
    return servers.stream().mapToLong(server -> server.connections().size()).sum();
  }

  /** Does something to each of its connections. */
  void tell(Consumer<HttpConnection> action) {
    connections().forEach(connection -> tell(connection, action));
  }

  /** A connection that throws, or leaves the interrupt flag set, must not affect the others. */
  static void tell(HttpConnection connection, Consumer<HttpConnection> action) {
    try {
      action.accept(connection);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "Could not tell a connection to leave", t);
    } finally {
      Thread.interrupted();
    }
  }

  /** Returns whether the response of one of its connections is not sent yet. */
  boolean isAnswering() {
    return connections().stream().anyMatch(GuardedServer::isAnswering);
  }

  private static boolean isAnswering(HttpConnection connection) {
    try {
      return connection.isAnswering();
    } catch (Throwable t) {
      ShutdownLog.warn(log, "Could not ask a connection for its response", t);
      return false;
    }
  }

  /** Runs {@code then} once no connection is owed an answer. */
  void whenConnectionsEnded(Runnable then) {
    try {
      server.connectionsEnded().whenComplete((nothing, failure) -> then.run());
    } catch (Throwable t) {
      ShutdownLog.warn(log, "Could not await the connections of {}", name(), t);
      then.run();
    }
  }

  void stopListening(Deadline deadline) throws Exception {
    server.stopListening(deadline);
  }

  void stop(Deadline deadline) throws Exception {
    server.stop(deadline);
  }
}
