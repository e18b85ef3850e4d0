package io.lastcall;

/** What a sequence says on its way, on its own thread: implementations must not block or throw. */
interface Milestones {
  /** For a sequence that nobody watches. */
  Milestones UNWATCHED =
      new Milestones() {
        @Override
        public void begun() {}

        @Override
        public void propagated() {}

        @Override
        public void readinessFailed() {}
      };

  /** The shutdown has begun. */
  void begun();

  /** KEEP_SERVING is over: endpoints have propagated. */
  void propagated();

  /** Readiness turns red now. */
  void readinessFailed();
}
