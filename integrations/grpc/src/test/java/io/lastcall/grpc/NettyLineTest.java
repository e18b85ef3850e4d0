package io.lastcall.grpc;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.util.Version;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class NettyLineTest {
  @Test
  void netty_isOfTheLineOfThisRun() {
    String line = System.getProperty("expected.netty.line", "4.2");
    Version transport = Objects.requireNonNull(Version.identify().get("netty-transport"));
    assertTrue(transport.artifactVersion().startsWith(line + '.'), transport::toString);
  }
}
