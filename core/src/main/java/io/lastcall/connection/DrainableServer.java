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
 *
 * <p>A server without an adapter takes the coarse role, {@link #of}.
 */
public interface DrainableServer {

  /**
   * Returns the coarse role: a server that needs nothing but public API, and does not list its
   * connections. A filter or handler counts its requests; see {@link
   * io.lastcall.inflight.RequestGate}.
   *
   * <p>What differs, since idle connections cannot be closed one by one:
   *
   * <ul>
   *   <li>Every response says close from the trigger on, instead of more and more of them.
   *   <li>DRAIN ends only when, besides, no request has come for half a second; it waits for that
   *       no longer than two seconds.
   *   <li>{@code stopListening} runs at the end of DRAIN; where long-lived connections are open, in
   *       CLOSE_CONNECTIONS, when they have ended. So it may end connections, too, and may stop the
   *       server altogether where the server cannot do less.
   *   <li>A connection that was idle from the trigger on ends with the server: a request that
   *       crosses that end is lost. HTTP/2 connections get no GOAWAY.
   * </ul>
   *
   * @param name in logs and reports, such as {@code undertow:8080}
   * @param stopListening closes the listener; may block until its deadline
   * @param stop ends every thread of the server, in EXIT; may block until its deadline
   */
  static DrainableServer of(String name, Action stopListening, Action stop) {
    return new CoarseServer(name, stopListening, stop);
  }

  /** A part of a server's stop. */
  @FunctionalInterface
  interface Action {
    /**
     * Does it.
     *
     * @param deadline when the sequence goes on without it
     * @throws Exception recorded in the report; the sequence goes on
     */
    void run(Deadline deadline) throws Exception;
  }

  /** Returns its name in logs and reports, such as {@code tomcat:8080}. */
  String name();

  /** Returns a snapshot of the open HTTP connections. Called in KEEP_SERVING and DRAIN. */
  Collection<? extends HttpConnection> connections();

  /**
   * Returns whether {@link #connections()} are all there are. If not, the server has the coarse
   * role, whatever that returns; see {@link #of}. The default is true.
   */
  default boolean listsConnections() {
    return true;
  }

  /**
   * Returns the names of listeners of the same server that no {@link DrainableServer} drains: a
   * second connector that was forgotten. Called every few seconds after start-up. The default is
   * none.
   */
  default Collection<String> unregistered() {
    return List.of();
  }

  /** Whether the filter or handler that counts the requests of a server is in place. */
  enum Counting {
    /** It is. */
    IN_PLACE,
    /** It is not, and the server runs: no request is counted, and a shutdown cuts them all. */
    MISSING,
    /** That is not known, or not yet. */
    UNKNOWN
  }

  /**
   * Returns whether what counts its requests is in place. Called every few seconds from the end of
   * start-up on, and as the shutdown begins. While all servers say {@code UNKNOWN}, the default,
   * core warns where connections are open and no request was ever counted.
   */
  default Counting counting() {
    return Counting.UNKNOWN;
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
