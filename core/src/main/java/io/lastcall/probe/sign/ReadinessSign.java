package io.lastcall.probe.sign;

import java.io.IOException;
import java.nio.file.Path;

/**
 * What is there exactly while readiness passes. Used by one thread. Prints as setting and value.
 */
public interface ReadinessSign {
  /**
   * A file, for {@code exec} probes.
   *
   * @throws IllegalArgumentException if there can be no such file: what is wrong, and what is
   *     allowed
   */
  static ReadinessSign file(Path path) {
    return new ReadinessFile(path);
  }

  /**
   * A port, for {@code tcpSocket} probes.
   *
   * @throws IllegalArgumentException if the port cannot be had: what is wrong, and what is allowed
   */
  static ReadinessSign port(int port) {
    return new ReadinessPort(port);
  }

  /** Makes it be there; does nothing where it is. */
  void show() throws IOException;

  /** Makes it be gone; does nothing where it is. */
  void hide() throws IOException;
}
