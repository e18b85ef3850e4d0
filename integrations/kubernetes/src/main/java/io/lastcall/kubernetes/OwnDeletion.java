package io.lastcall.kubernetes;

/** Whether the own Pod is being deleted, asked of the API server. Thread-safe. */
interface OwnDeletion {

  /** Notes which Pod is meant, concurrently: a later one of the same name is another. */
  default void remember() {}

  /**
   * Asks whether the Pod is being deleted, or is gone after it was noted; false, after a warning,
   * if that cannot be known. Blocks until there is an answer.
   */
  boolean hasBegun();
}
