package io.lastcall;

/** A registration that can be taken back. Thread-safe. */
@FunctionalInterface
public interface Removable {

  /**
   * Takes the registration back. Does nothing if it was taken back before, or is in use: the phase
   * of a step has begun, or the shutdown has, where it is a server or a listener.
   */
  void remove();
}
