package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.phase.Phase;
import io.lastcall.probe.ProbeKind;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
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
    harness.builder().configuration("readiness-file", file.toString(), "test");
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

  /** Not even for the instant in which it is found out whether it can be made. */
  @Test
  void file_beforeStarted_wasNeverThere() throws IOException, InterruptedException {
    try (WatchService watch = folder.getFileSystem().newWatchService()) {
      folder.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
      harness.builder().awaitStarted();
      GracefulShutdown shutdown = harness.install();
      Path end = Files.createFile(folder.resolve("end"));
      assertFalse(madeUntil(end, watch).contains(file));
      try (Stream<Path> left = Files.list(folder)) {
        assertEquals(List.of(end), left.toList());
      }
      shutdown.uninstall();
    }
  }

  private List<Path> madeUntil(Path end, WatchService watch) throws InterruptedException {
    List<Path> made = new ArrayList<>();
    while (!made.contains(end)) {
      WatchKey key = Objects.requireNonNull(watch.poll(60, TimeUnit.SECONDS), "nothing was made");
      key.pollEvents().forEach(event -> made.add(folder.resolve(event.context().toString())));
      key.reset();
    }
    return made;
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
    assertTrue(
        told.startsWith("readiness-file=" + file + " (configuration test): something is there"),
        told);
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
  void file_outOfService_goesAndComesBack() {
    GracefulShutdown shutdown = harness.install();
    awaitFile(true);
    shutdown.takeOutOfService(true);
    awaitFile(false);
    shutdown.takeOutOfService(false);
    awaitFile(true);
    shutdown.uninstall();
  }

  @Test
  void file_conditionFailsAndPassesAgain_followsWithTheAnswer() {
    AtomicReference<@Nullable String> failure = new AtomicReference<>("cold");
    GracefulShutdown shutdown = harness.install();
    awaitFile(true);
    harness.ticker.awaitParkedUntil("lastcall-readiness", Duration.ofSeconds(1));
    shutdown
        .probes()
        .condition(ProbeKind.READINESS, "cache", () -> Optional.ofNullable(failure.get()));
    awaitFile(false);
    harness.ticker.awaitParkedUntil("lastcall-conditions", Duration.ofSeconds(1));
    failure.set(null);
    harness.ticker.advance(Duration.ofSeconds(1));
    harness.ticker.awaitParkedUntil("lastcall-conditions", Duration.ofSeconds(2));
    awaitFile(true);
    failure.set("lost");
    harness.ticker.advance(Duration.ofSeconds(1));
    awaitFile(false);
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
    shutdown.takeOutOfService(true);
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
    harness.environment.put("LASTCALL_READINESS_FILE", nowhere.toString());
    assertEquals(
        "readiness-file=%s (environment LASTCALL_READINESS_FILE, not %s (configuration test)): there is no folder %s; allowed: a file that can be made and removed"
            .formatted(nowhere, file, nowhere.getParent()),
        assertThrows(IllegalArgumentException.class, harness::install).getMessage());
    assertTrue(harness.jvm.claim());
  }
}
