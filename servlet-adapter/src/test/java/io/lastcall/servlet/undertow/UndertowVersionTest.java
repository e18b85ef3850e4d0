package io.lastcall.servlet.undertow;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.undertow.Version;
import org.junit.jupiter.api.Test;

/** The run with Undertow 2.4 is one. */
class UndertowVersionTest {
  @Test
  void version_isTheOneOfThisRun() {
    assertEquals(System.getProperty("expected.undertow.version"), Version.getVersionString());
  }
}
