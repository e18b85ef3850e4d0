package io.lastcall.pool;

import java.util.OptionalInt;

/**
 * A pool of connections to a database or another server, which closes its surplus while the process
 * leaves. Register it by {@code GracefulShutdown.pool}. From the trigger until CLOSE_CONNECTIONS it
 * is asked ten times a second, by one thread of the library's that may block. What a method throws
 * is logged as a WARN, and the pool then stays as it is; the shutdown goes on.
 */
public interface ConnectionPool {

  /** Returns how many connections are in use, and how many threads wait for one. */
  int inUse();

  /** Returns how many connections are open and not in use. */
  int idle();

  /**
   * Returns how many connections it opens at the most, for the log at start: in a rollout the
   * successor's pool opens as many. Empty by default: then the log does not say.
   */
  default OptionalInt maximum() {
    return OptionalInt.empty();
  }

  /**
   * Closes one connection that is not in use, and opens none in its place. The pool's maximum stays
   * as it is: a later burst opens connections again. Not called while fewer than two are idle.
   *
   * @return false if none can be closed now, because a thread has begun to wait for one
   * @throws Exception if the pool cannot do that
   */
  boolean closeOneIdle() throws Exception;
}
