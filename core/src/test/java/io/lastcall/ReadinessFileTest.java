package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.probe.Check;
import io.lastcall.probe.CheckResult;
import io.lastcall.probe.ProbeKind;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ReadinessFileTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private @TempDir Path folder = Path.of("unset");
  private Path file = Path.of("unset");

  @BeforeEach
  void configure() {
    file = folder.resolve("ready");
    harness.builder().readinessFile(file);
  }

  private void awaitFile(boolean exists) {
    Awaitility.await().until(() -> Files.exists(file) == exists);
  }

  @Test
  void file_leftByACrash_isRemovedUntilStarted() throws IOException {
    Files.createFile(file);
    harness.builder().awaitStarted();
    GracefulShutdown shutdown = harness.install();
    assertFalse(Files.exists(file));
    shutdown.started();
    awaitFile(true);
    shutdown.uninstall();
    assertFalse(Files.exists(file));
  }

  @Test
  void file_somebodyElses_isRefusedAndLeftAlone() throws IOException {
    Files.writeString(file, "precious");
    assertRefused();
    assertEquals("precious", Files.readString(file));
  }

  @Test
  void file_aDirectory_isRefusedAndLeftAlone() throws IOException {
    Files.createDirectory(file);
    assertRefused();
    assertTrue(Files.isDirectory(file));
  }

  private void assertRefused() {
    String told =
        String.valueOf(assertThrows(IllegalArgumentException.class, harness::install).getMessage());
    assertTrue(told.startsWith("readiness-file=" + file + ": something is there"), told);
  }

  @Test
  void file_inAShutdown_goesWithReadiness() {
    CountDownLatch drained = new CountDownLatch(1);
    harness.builder().step(Phase.DRAIN, "slow", context -> drained.await());
    harness.install();
    awaitFile(true);
    Harness.join(harness.jvm.raise("TERM"));
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    assertTrue(Files.exists(file));
    harness.pass(15_000);
    awaitFile(false);
    drained.countDown();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }

  @Test
  void file_policyImmediate_goesAtTheTrigger() {
    harness.builder().readinessPolicy(ReadinessPolicy.IMMEDIATE);
    harness.install();
    awaitFile(true);
    Harness.join(harness.jvm.raise("TERM"));
    awaitFile(false);
    harness.passKeepServing();
    harness.jvm.awaitEnding();
  }

  @Test
  void file_policyNever_isGoneAtTheExitAllTheSame() {
    harness.builder().readinessPolicy(ReadinessPolicy.NEVER);
    harness.install();
    awaitFile(true);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertFalse(Files.exists(file));
  }

  @Test
  void file_lameDuck_goesAndComesBack() {
    GracefulShutdown shutdown = harness.install();
    awaitFile(true);
    shutdown.lameDuck(true);
    awaitFile(false);
    shutdown.lameDuck(false);
    awaitFile(true);
    shutdown.uninstall();
  }

  @Test
  void file_checkFailsAndPassesAgain_followsWithinASecond() {
    AtomicBoolean up = new AtomicBoolean(true);
    GracefulShutdown shutdown = harness.install();
    awaitFile(true);
    harness.ticker.awaitParkedUntil("lastcall-readiness", Duration.ofSeconds(1));
    shutdown
        .probes()
        .check(
            ProbeKind.READINESS,
            Check.of("db", () -> up.get() ? CheckResult.up() : CheckResult.down("gone"))
                .withCachedFor(Duration.ZERO)
                .withTimeout(Duration.ofMinutes(1)));
    up.set(false);
    harness.ticker.advance(Duration.ofSeconds(1));
    awaitFile(false);
    harness.ticker.awaitParkedUntil("lastcall-readiness", Duration.ofSeconds(2));
    up.set(true);
    harness.ticker.advance(Duration.ofSeconds(1));
    awaitFile(true);
    shutdown.uninstall();
  }

  @Test
  void file_removedBySomebodyElse_isBackWithinASecond() throws IOException {
    GracefulShutdown shutdown = harness.install();
    awaitFile(true);
    harness.ticker.awaitParkedUntil("lastcall-readiness", Duration.ofSeconds(1));
    Files.delete(file);
    harness.ticker.advance(Duration.ofSeconds(1));
    awaitFile(true);
    shutdown.uninstall();
    assertFalse(Files.exists(file));
  }

  @Test
  void file_cannotBeRemoved_isTriedAgainEachSecond() throws IOException {
    GracefulShutdown shutdown = harness.install();
    awaitFile(true);
    Files.delete(file);
    Path inTheWay = Files.createDirectories(file.resolve("child"));
    shutdown.lameDuck(true);
    log.awaitLogged("Could not hide readiness-file=" + file);
    Files.delete(inTheWay);
    harness.ticker.awaitParkedUntil("lastcall-readiness", Duration.ofSeconds(1));
    harness.ticker.advance(Duration.ofSeconds(1));
    awaitFile(false);
    shutdown.uninstall();
  }

  @Test
  void file_thatCannotBeMade_isRefused() {
    Path nowhere = folder.resolve("missing/ready");
    harness.builder().readinessFile(nowhere);
    Exception e = assertThrows(IllegalArgumentException.class, harness::install);
    assertEquals(
        "readiness-file=%s: java.nio.file.NoSuchFileException: %s; allowed: a file that can be made"
                .formatted(nowhere, nowhere)
            + " and removed",
        e.getMessage());
    assertTrue(harness.jvm.claim());
  }
}
