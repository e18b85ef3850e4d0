package io.lastcall.spring;

import org.jspecify.annotations.Nullable;

/**
 * Something of a context's in the hands of the shutdown, which gives nothing back: there until the
 * context lets go of it. Thread-safe.
 */
final class Lent<T> {
  private volatile @Nullable T target;

  Lent(T target) {
    this.target = target;
  }

  /** Returns it, or null once its context is closed. */
  @Nullable T get() {
    return target;
  }

  void release() {
    target = null;
  }
}
