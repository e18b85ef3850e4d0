package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.Test;

/** The run with Tomcat 10.1 is one, and the classes of this package link there. */
class TomcatVersionTest {
  @Test
  void version_isTheOneOfThisRun() {
    String expected = System.getProperty("expected.tomcat.version");
    assertNotNull(expected);
    assertEquals(expected + ".0", ServerInfo.getServerNumber());
  }
}
