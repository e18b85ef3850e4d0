package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.process.Threads;
import io.lastcall.testing.FreePort;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class ReadinessPortTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final int port = FreePort.next();

  @BeforeEach
  void configure() {
    harness.builder().configuration("readiness-port", Integer.toString(port), "test");
  }

  /** As a kubelet asks. */
  private boolean opens() throws IOException {
    try (Socket probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return probe.isConnected();
    } catch (ConnectException refused) {
      return false;
    }
  }

  private void awaitPort(boolean open) {
    Awaitility.await().until(() -> opens() == open);
  }

  @Test
  void port_beforeStarted_isClosed() throws IOException {
    harness.builder().awaitStarted();
    GracefulShutdown shutdown = harness.install();
    assertFalse(opens());
    shutdown.started();
    awaitPort(true);
    shutdown.uninstall();
    assertFalse(opens());
  }

  @Test
  void port_inAShutdown_goesWithReadiness() throws IOException {
    CountDownLatch drained = new CountDownLatch(1);
    harness.builder().step(Phase.DRAIN, "slow", context -> drained.await());
    harness.install();
    awaitPort(true);
    Harness.join(harness.jvm.raise("TERM"));
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    assertTrue(opens());
    harness.pass(15_000);
    awaitPort(false);
    drained.countDown();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  /** One that is left in accept costs the exit of the JVM 300 ms. */
  @Test
  void port_policyNever_isGoneAtTheExitAndItsThreadsToo() throws IOException {
    harness.builder().readinessPolicy(ReadinessPolicy.NEVER);
    harness.install();
    awaitPort(true);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertFalse(opens());
    assertTrue(
        Threads.alive().stream()
            .noneMatch(thread -> thread.getName().startsWith("lastcall-readiness")));
  }

  @Test
  void port_outOfService_closesAndOpensAgain() {
    GracefulShutdown shutdown = harness.install();
    awaitPort(true);
    shutdown.takeOutOfService(true);
    awaitPort(false);
    shutdown.takeOutOfService(false);
    awaitPort(true);
    shutdown.uninstall();
  }

  /** Far more than a backlog holds. */
  @Test
  void port_thousandProbes_allConnect() throws IOException {
    GracefulShutdown shutdown = harness.install();
    awaitPort(true);
    for (int i = 0; i < 1_000; i++) {
      assertTrue(opens());
    }
    shutdown.uninstall();
  }

  @Test
  void port_thatIsTaken_isRefused() throws IOException {
    try (ServerSocket other = new ServerSocket(port)) {
      assertTrue(other.isBound());
      Exception e = assertThrows(IllegalArgumentException.class, harness::install);
      assertEquals(
          "readiness-port=%d (configuration test): Address already in use; allowed: a port that is free"
              .formatted(port),
          e.getMessage());
      assertTrue(harness.jvm.claim());
    }
  }

  /** Taken by somebody else while the service was not ready. */
  @Test
  void port_lostToAnother_isSaidOnceAndOpenedWhenItCanBe() throws IOException {
    GracefulShutdown shutdown = harness.install();
    awaitPort(true);
    shutdown.takeOutOfService(true);
    awaitPort(false);
    ServerSocket other = new ServerSocket(port);
    shutdown.takeOutOfService(false);
    Awaitility.await().until(() -> said() == 1);
    harness.ticker.awaitParkedUntil("lastcall-readiness", Duration.ofSeconds(1));
    harness.ticker.advance(Duration.ofSeconds(5));
    harness.ticker.awaitParkedUntil("lastcall-readiness", Duration.ofSeconds(6));
    other.close();
    harness.ticker.advance(Duration.ofSeconds(5));
    awaitPort(true);
    assertEquals(1, said());
    shutdown.uninstall();
  }

  private int said() {
    return log.text().split("Could not show readiness-port", -1).length - 1;
  }
}
