package io.lastcall.connection;

import io.lastcall.time.Deadline;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The role of a server in a shutdown; adapters implement it. The sequence calls {@link
 * #stopListening}, {@link #connectionsEnded} and {@link #stop} in this order, each once. The first
 * and the last may block, on a thread that the sequence leaves behind at the deadline; the other
 * methods must be quick and must not block.
 *
 * <p>A server answers on every open connection until {@link #stop}: pausing or stopping a connector
 * before that would answer open connections with an EOF or a reset.
 */
public interface DrainableServer {

  /** Returns its name in logs and reports, such as {@code tomcat:8080}. */
  String name();

  /** Returns a snapshot of the open HTTP connections. Called in KEEP_SERVING and DRAIN. */
  Collection<? extends HttpConnection> connections();

  /**
   * Returns the names of listeners of the same server that no {@link DrainableServer} drains: a
   * second connector that was forgotten. Called every few seconds after start-up. The default is
   * none.
   */
  default Collection<String> unregistered() {
    return List.of();
  }

  /**
   * Accepts what the kernel has queued, then closes the listener; open connections are served on.
   *
   * @param deadline when to close it even if the queue may not be empty
   * @throws Exception recorded in the report; the sequence goes on
   */
  void stopListening(Deadline deadline) throws Exception;

  /**
   * Completes when each connection was closed, or half-closed while idle. Called on the sequence's
   * thread after {@link #stopListening} and {@link HttpConnection#closeIfIdle}.
   */
  CompletionStage<?> connectionsEnded();

  /**
   * Ends every thread of the server, event loops and selectors included: a thread in native code
   * delays the exit of the JVM by 300 ms.
   *
   * @param deadline when the sequence goes on without it
   * @throws Exception recorded in the report; the sequence goes on
   */
  void stop(Deadline deadline) throws Exception;
}
