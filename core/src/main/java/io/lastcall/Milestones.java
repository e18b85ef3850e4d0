package io.lastcall;

/** What a sequence says on its way, on its own thread: implementations must not block or throw. */
interface Milestones {
  /** The shutdown has begun. */
  default void begun() {}

  /** KEEP_SERVING is over: endpoints have propagated. */
  default void propagated() {}

  /** Readiness turns red now. */
  default void readinessFailed() {}
}
