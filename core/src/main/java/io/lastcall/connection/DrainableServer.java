package io.lastcall.connection;

import io.lastcall.time.Deadline;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The role of a server in a shutdown. Adapters implement it. The sequence calls {@link
 * #stopListening}, {@link #connectionsEnded} and {@link #stop} in this order, each once: the first
 * and the last on a thread that may block, and it goes on without them at the deadline. The rest
 * says itself when it is called.
 *
 * <p>A server keeps answering on every open connection until {@link #stop}: pausing or stopping a
 * connector while connections are open answers them with an EOF or a reset.
 */
public interface DrainableServer {

  /** Names the server in logs and reports, such as {@code tomcat:8080}. */
  String name();

  /**
   * Returns the HTTP connections open now: a snapshot. Asked in KEEP_SERVING, when clients are told
   * to leave and idle connections are closed, both spread over time, and in DRAIN, after {@link
   * #stopListening}, for those left. Must be quick and must not block.
   */
  Collection<? extends HttpConnection> connections();

  /**
   * Returns the names of other listeners of the same server that are not drained with this one, and
   * by no other {@link DrainableServer}: a second connector that was forgotten. Asked every few
   * seconds after start-up; must be quick and must not block. The default is none.
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
   * Completes when no connection is owed an answer any more: each is closed, or was half-closed
   * while idle. Asked after {@link #stopListening} and after every idle connection was told to
   * close, on the sequence's own thread: must not block.
   */
  CompletionStage<?> connectionsEnded();

  /**
   * Ends every thread of the server, event loops and selectors included: one left in native code
   * costs the exit of the JVM 300 ms.
   *
   * @param deadline when the sequence goes on without it
   * @throws Exception recorded in the report; the sequence goes on
   */
  void stop(Deadline deadline) throws Exception;
}
