package io.lastcall.probe.server;

import java.io.IOException;

/** A file or a port that exists only while readiness passes. Used by one thread. */
interface ReadinessSign {
  /** Makes it exist; does nothing if it does. */
  void show() throws IOException;

  /** Removes it; does nothing if it does not exist. */
  void hide() throws IOException;
}
