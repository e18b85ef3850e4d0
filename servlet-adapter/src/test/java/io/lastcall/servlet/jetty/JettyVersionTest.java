package io.lastcall.servlet.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;

/** The run with Jetty 12.0 is one, and the classes of this package link there. */
class JettyVersionTest {
  @Test
  void version_isTheOneOfThisRun() {
    assertEquals(System.getProperty("expected.jetty.version"), Server.getVersion());
  }
}
