package io.lastcall.probe.sign;

import java.io.IOException;

/**
 * What is there exactly while readiness passes. Used by one thread. Prints as setting and value.
 */
interface ReadinessSign {
  /** Makes it be there; does nothing where it is. */
  void show() throws IOException;

  /** Makes it be gone; does nothing where it is. */
  void hide() throws IOException;
}
