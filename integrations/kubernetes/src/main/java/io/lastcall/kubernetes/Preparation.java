package io.lastcall.kubernetes;

import io.lastcall.GracefulShutdown;
import io.lastcall.Removable;

/**
 * What an application does before it may be stopped: hand over its leadership, move its shards.
 * {@code POST /prepare} on the probes' port asks it, and so does the admission webhook of the
 * examples, which lets nobody delete or evict the Pod until it is prepared.
 *
 * <p>A preparation is a lease of 30 seconds that each question renews. When that time has passed
 * without a question, it is cancelled, and the application is as before. Once a shutdown has begun,
 * or the Pod is being deleted, nothing is cancelled any more.
 *
 * <p>Both methods are called by one thread of the library, never concurrently, and must not block:
 * the answer is what has been reached so far.
 */
public interface Preparation {

  /**
   * Begins to prepare, or says how far it is. Called any number of times, also after it was
   * prepared.
   *
   * @return the answer; an exception counts as {@link PreparationAnswer.Refused}, with its text
   */
  PreparationAnswer prepare();

  /** Takes the preparation back, however far it is: the process goes on. */
  void cancel();

  /**
   * Registers a preparation. Several combine: one that refuses makes the whole refused, and all of
   * them prepared make it prepared.
   *
   * @param name in words, for the answer and the log
   * @return takes it back without cancelling it
   * @throws IllegalArgumentException if there is a preparation of that name
   */
  static Removable register(GracefulShutdown shutdown, String name, Preparation preparation) {
    return shutdown
        .extension(Preparations.class)
        .map(preparations -> preparations.register(name, preparation))
        .orElse(() -> {}); // a disabled shutdown has no extensions
  }
}
