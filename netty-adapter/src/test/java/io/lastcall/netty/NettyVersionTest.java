package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.util.Version;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The tests run twice: with the Netty they are compiled against, and with 4.1. */
class NettyVersionTest {
  @Test
  void netty_onTheClassPath_isTheOneThisRunIsFor() {
    Version actual = Objects.requireNonNull(Version.identify().get("netty-transport"));
    assertEquals(System.getProperty("expected.netty.version"), actual.artifactVersion());
  }
}
