package io.lastcall;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.process.Threads;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When the exit is rehearsed, behind the start or at the signal, and the servers' part of it. */
final class RehearsalTest {
  private static final String THREAD = "lastcall-rehearsal";
  private static final Duration BEHIND_START = Duration.ofSeconds(2);

  /** Those of tests before, for which time stands still. */
  private final Set<Thread> others = Threads.alive();

  private final Harness harness = new Harness();

  RehearsalTest() {
    harness.builder().server(new Rehearsing("main", harness));
  }

  @AfterEach
  void uninstall() {
    harness.shutdown().uninstall();
  }

  /** Throws, which must not keep the rest of the rehearsal, nor anybody else, from going on. */
  private static final class Rehearsing extends FakeServer {
    private final Harness harness;

    Rehearsing(String name, Harness harness) {
      super(name, harness);
      this.harness = harness;
      connectionsEnded.complete(null);
    }

    @Override
    public void rehearse() {
      harness.events.add("rehearse");
      throw new IllegalStateException("no port is left");
    }
  }

  @Test
  void install_twoSecondsLater_rehearsesTheExitAloneAndTellsNobody() {
    harness.install();
    harness.ticker.awaitParkedUntil(THREAD, BEHIND_START);
    assertFalse(harness.jvm.isExitPrepared());

    harness.ticker.advance(BEHIND_START);

    awaitEndOfRehearsal();
    assertTrue(harness.jvm.isExitPrepared());
    assertEquals(List.of(), harness.events);
    assertTrue(harness.jvm.runs());
    assertFalse(harness.isRefused());
  }

  @Test
  void terminate_behindIt_rehearsesTheServers() {
    harness.install();
    harness.ticker.awaitParkedUntil(THREAD, BEHIND_START);
    harness.ticker.advance(BEHIND_START);
    awaitEndOfRehearsal();

    Harness.join(harness.jvm.raise("TERM"));

    await().until(() -> rehearsedServers() == 1);
    harness.awaitSequence();
    awaitEndOfRehearsal();
    assertEquals(1, rehearsedServers());
  }

  @Test
  void terminate_beforeIt_rehearsesAllAtOnce() {
    harness.terminate();

    await().until(() -> rehearsedServers() == 1);
    awaitEndOfRehearsal();
    harness.passKeepServing();
    harness.phase(Phase.EXIT);
    assertEquals(1, rehearsedServers());
  }

  @Test
  void terminate_withNothingToWaitFor_rehearsesNoServer() {
    harness.builder().propagationDelay(Duration.ZERO);

    harness.terminate();

    await().until(harness.jvm::isExitPrepared);
    awaitEndOfRehearsal();
    assertEquals(0, rehearsedServers());
  }

  @Test
  void terminate_withARequestToWaitFor_rehearsesTheServers() {
    harness.builder().propagationDelay(Duration.ZERO);
    harness.install();
    TestPermit request = harness.enter("GET /work");

    Harness.join(harness.jvm.raise("TERM"));

    await().until(() -> rehearsedServers() == 1);
    harness.awaitSequence();
    request.release();
    harness.jvm.awaitEnding();
  }

  @Test
  void started_awaited_isWhereTheTwoSecondsBegin() {
    harness.builder().awaitStarted();
    GracefulShutdown shutdown = harness.install();
    harness.ticker.advance(Duration.ofMinutes(1));

    shutdown.started();
    shutdown.started();

    harness.ticker.awaitParkedUntil(THREAD, Duration.ofSeconds(62));
    assertEquals(1, rehearsals());
    assertEquals(List.of(), harness.events);
  }

  @Test
  void uninstall_beforeIt_rehearsesNothing() {
    GracefulShutdown shutdown = harness.install();
    harness.ticker.awaitParkedUntil(THREAD, BEHIND_START);

    shutdown.uninstall();

    awaitEndOfRehearsal();
    assertEquals(List.of(), harness.events);
  }

  private long rehearsedServers() {
    return harness.events.stream().filter("rehearse"::equals).count();
  }

  private long rehearsals() {
    return Threads.alive().stream()
        .filter(thread -> thread.getName().equals(THREAD) && !others.contains(thread))
        .count();
  }

  private void awaitEndOfRehearsal() {
    await().until(() -> rehearsals() == 0);
  }
}
