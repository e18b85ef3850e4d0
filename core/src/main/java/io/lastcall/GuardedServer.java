package io.lastcall;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.process.SafeLog;
import io.lastcall.time.Deadline;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that the sequence can ask without a risk: if it throws, or answers what it must not, it
 * counts as one without connections that nobody has to wait for. Thread-safe.
 */
final class GuardedServer {
  private static final Logger log = LoggerFactory.getLogger(GuardedServer.class);

  private final DrainableServer server;

  /** Whether that was logged: it is asked for its connections several times a second. */
  private volatile boolean failedToList;

  GuardedServer(DrainableServer server) {
    this.server = server;
  }

  /** Returns its name, such that a step may have it; one that has none goes by its class. */
  String name() {
    try {
      return String.valueOf(server.name()).replaceAll("\\p{Cc}", "?");
    } catch (Throwable t) {
      SafeLog.warn(log, "Could not ask a server for its name", t);
      return server.getClass().getName();
    }
  }

  void rehearse() {
    try {
      server.rehearse();
    } catch (Throwable t) {
      SafeLog.debug(log, name() + " could not rehearse", t);
    }
  }

  /** Returns a copy: what the server made may change, or fail, while it is walked. */
  List<HttpConnection> connections() {
    try {
      return List.copyOf(server.connections());
    } catch (Throwable t) {
      if (!failedToList) {
        failedToList = true;
        SafeLog.warn(log, "Could not list the connections of " + name(), t);
      }
      return List.of();
    }
  }

  /** Returns how many connections all of {@code servers} have open. */
  static long open(List<GuardedServer> servers) {
    return servers.stream().mapToLong(server -> server.connections().size()).sum();
  }

  /** Tells all its connections. */
  void tell(Consumer<HttpConnection> what) {
    connections().forEach(connection -> tell(connection, what));
  }

  /** One that cannot be told, or interrupts its teller, must not keep or hurry the others. */
  static void tell(HttpConnection connection, Consumer<HttpConnection> what) {
    try {
      what.accept(connection);
    } catch (Throwable t) {
      SafeLog.warn(log, "Could not tell a connection to leave", t);
    } finally {
      Thread.interrupted();
    }
  }

  /** Returns how many of its connections still take a response in. */
  long answering() {
    return connections().stream().filter(GuardedServer::isAnswering).count();
  }

  private static boolean isAnswering(HttpConnection connection) {
    try {
      return connection.isAnswering();
    } catch (Throwable t) {
      SafeLog.warn(log, "Could not ask a connection for its response", t);
      return false;
    }
  }

  /** Runs {@code then} once no connection is owed an answer. */
  void whenConnectionsEnded(Runnable then) {
    try {
      server.connectionsEnded().whenComplete((nothing, failure) -> then.run());
    } catch (Throwable t) {
      SafeLog.warn(log, "Could not await the connections of " + name(), t);
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
