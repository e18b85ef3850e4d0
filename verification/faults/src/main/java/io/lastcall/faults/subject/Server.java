package io.lastcall.faults.subject;

import io.lastcall.GracefulShutdown;

/** Starts the server that a fault is about. Each says its ports: {@code port http 8080}. */
final class Server {
  /** What {@code /big} answers: more than buffers take in. */
  static final int BIG_BYTES = 32 << 20;

  private Server() {}

  static void start(String name, GracefulShutdown shutdown, Control control) throws Exception {
    switch (name) {
      case "TOMCAT" -> TomcatSubject.start(shutdown, control);
      case "NETTY" -> NettySubject.start(shutdown, control);
      case "NONE" -> {}
      default -> throw new IllegalArgumentException("faults.server=" + name);
    }
    String probePort = System.getProperty("lastcall.probe-port");
    if (probePort != null) {
      control.say("port probes " + probePort);
    }
  }
}
