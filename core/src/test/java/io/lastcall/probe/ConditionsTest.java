package io.lastcall.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.process.CapturedLog;
import io.lastcall.process.UnprintableException;
import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class ConditionsTest {
  private static final String THREAD = "lastcall-conditions";

  @RegisterExtension final CapturedLog log = new CapturedLog();

  private final ManualTicker ticker = new ManualTicker();
  private final Subject subject = new Subject();
  private final Probes probes = new Probes(subject, ProbeToken.none(), ticker);
  private final List<Condition> registered = new CopyOnWriteArrayList<>();

  /** Of the condition {@link #answer()}, from its next round on. */
  private volatile Supplier<Optional<String>> answer = Optional::empty;

  /** Of a condition that hangs. */
  private final CountDownLatch inside = new CountDownLatch(1);

  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void end() {
    release.countDown();
    probes.endConditions();
  }

  private Condition readiness(String name, Supplier<Optional<String>> reason) {
    return condition(ProbeKind.READINESS, name, reason);
  }

  @Test
  void readiness_byABoolean_passesWhileItIsTrue() {
    AtomicBoolean up = new AtomicBoolean();
    registered.add(probes.readiness("db", up::get));
    awaitRound(1);
    assertReadiness("[-]db failed: it is not up");
    up.set(true);
    nextRound(2);
    assertReadiness("[+]db ok");
  }

  private Condition condition(ProbeKind kind, String name, Supplier<Optional<String>> reason) {
    Condition condition = probes.condition(kind, name, reason);
    registered.add(condition);
    return condition;
  }

  /** Waits until every condition has been asked, and the next round is due after that time. */
  private void awaitRound(int seconds) {
    awaitRound(Duration.ofSeconds(seconds));
  }

  private void awaitRound(Duration next) {
    Awaitility.await().until(() -> registered.stream().noneMatch(Condition::isDue));
    ticker.awaitParkedUntil(THREAD, next);
  }

  private void nextRound(int seconds) {
    ticker.advanceTo(Duration.ofSeconds(seconds - 1));
    awaitRound(seconds);
  }

  private Optional<String> answer() {
    return answer.get();
  }

  private Optional<String> hang() {
    inside.countDown();
    try {
      release.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted", e);
    }
    return Optional.empty();
  }

  private void awaitHanging() {
    Awaitility.await().until(() -> inside.getCount() == 0);
  }

  /** Probes never wait. */
  private ProbeAnswer get(String target) {
    CompletableFuture<ProbeAnswer> answer =
        probes.answer(ProbeRequest.of("GET", target, name -> null)).toCompletableFuture();
    assertTrue(answer.isDone(), "a probe waits");
    return answer.join();
  }

  private void assertReadiness(String... lines) {
    boolean up = List.of(lines).stream().noneMatch(line -> line.startsWith("[-]"));
    ProbeAnswer answer = get("/readyz?verbose");
    assertEquals(
        "[+]traffic ok\n"
            + String.join("\n", lines)
            + "\nreadyz check "
            + (up ? "passed\n" : "failed\n"),
        answer.body());
    assertEquals(up ? 200 : 503, answer.status());
    assertEquals(up, probes.isReady());
  }

  @Test
  void condition_passes_isListed() {
    readiness("db", Optional::empty);
    awaitRound(1);
    assertReadiness("[+]db ok");
  }

  @Test
  void condition_fails_isNamedWithItsReason() {
    readiness("cache", Optional::empty);
    readiness("db", () -> Optional.of("no\nconnection"));
    awaitRound(1);
    assertReadiness("[+]cache ok", "[-]db failed: no connection");
    assertEquals(200, get("/livez").status());
    assertEquals(200, get("/startupz").status());
  }

  @Test
  void condition_throws_failsWithTheExceptionsText() {
    readiness(
        "db",
        () -> {
          throw new IllegalStateException("closed");
        });
    awaitRound(1);
    assertReadiness("[-]db failed: java.lang.IllegalStateException: closed");
    log.assertLogged(
        "Condition 'db' of /readyz does not pass yet: java.lang.IllegalStateException");
    log.assertLogged("at io.lastcall.probe.ConditionsTest");
  }

  @Test
  void condition_throwsErrorsOrWhatCannotBePrinted_failsAndIsAskedAgain() {
    readiness(
        "heap",
        () -> {
          throw new OutOfMemoryError("of its own");
        });
    readiness(
        "db",
        () -> {
          throw new UnprintableException();
        });
    nextRound(2);
    assertReadiness(
        "[-]heap failed: java.lang.OutOfMemoryError: of its own",
        "[-]db failed: " + UnprintableException.class.getName());
  }

  @Test
  @SuppressWarnings("NullAway") // what a careless condition does
  void condition_returnsNull_fails() {
    readiness("db", () -> null);
    awaitRound(1);
    assertReadiness("[-]db failed: it returned null");
  }

  @Test
  void condition_howeverOftenProbed_isAskedOnceASecondByOneThread() {
    List<String> asked = new CopyOnWriteArrayList<>();
    readiness(
        "db",
        () -> {
          asked.add(Thread.currentThread().getName());
          return Optional.empty();
        });
    awaitRound(1);
    ticker.advance(Duration.ofMillis(999));
    assertReadiness("[+]db ok");
    assertReadiness("[+]db ok");
    assertEquals(List.of(THREAD), asked);
    nextRound(2);
    assertEquals(List.of(THREAD, THREAD), asked);
  }

  @Test
  void condition_notAskedYet_failsReadinessAndStartUpButNotLiveness() {
    readiness("hung", this::hang);
    awaitHanging();
    readiness("db", Optional::empty);
    condition(ProbeKind.START_UP, "cache", Optional::empty);
    condition(ProbeKind.LIVENESS, "deadlock", () -> Optional.of("found"));
    assertReadiness("[-]hung failed: not asked yet", "[-]db failed: not asked yet");
    assertEquals(
        "[+]started ok\n[-]cache failed: not asked yet\nstartupz check failed\n",
        get("/startupz").body());
    assertEquals(200, get("/livez").status());
  }

  @Test
  void condition_registeredLater_isAskedAtOnce() {
    readiness("db", Optional::empty);
    awaitRound(1);
    ticker.advance(Duration.ofMillis(300));
    readiness("cache", Optional::empty);
    awaitRound(Duration.ofMillis(1_300));
    assertReadiness("[+]db ok", "[+]cache ok");
  }

  @Test
  void recheck_answerHasChanged_isAskedAtOnce() {
    answer = () -> Optional.of("cold");
    Condition cache = readiness("cache", this::answer);
    awaitRound(1);
    ticker.advance(Duration.ofMillis(300));
    answer = Optional::empty;
    assertReadiness("[-]cache failed: cold");
    cache.recheck();
    awaitRound(Duration.ofMillis(1_300));
    assertReadiness("[+]cache ok");
  }

  @Test
  void condition_noAnswerFor5Seconds_failsReadinessByName() {
    readiness("db", Optional::empty);
    readiness("queue", this::answer);
    awaitRound(1);
    answer = this::hang;
    ticker.advance(Duration.ofSeconds(1));
    awaitHanging();
    ticker.advanceTo(Duration.ofMillis(4_999));
    assertReadiness("[+]db ok", "[+]queue ok");
    ticker.advanceTo(Duration.ofSeconds(6));
    assertReadiness(
        "[-]db failed: not asked for 5 s: 'queue' does not answer",
        "[-]queue failed: no answer for 6 s");
    answer = Optional::empty;
    release.countDown();
    awaitRound(7);
    assertReadiness("[+]db ok", "[+]queue ok");
  }

  @Test
  void condition_ofLivenessDoesNotAnswer_failsReadinessAndNotLiveness() {
    condition(ProbeKind.LIVENESS, "deadlock", this::hang);
    ticker.advance(Duration.ofSeconds(5));
    assertReadiness("[-]deadlock failed: no answer for 5 s");
    assertEquals(200, get("/livez").status());
  }

  @Test
  void condition_ofLivenessSaysSoAndThenHangs_failsLiveness() {
    answer = () -> Optional.of("found");
    condition(ProbeKind.LIVENESS, "deadlock", this::answer);
    awaitRound(1);
    answer = this::hang;
    ticker.advance(Duration.ofHours(1));
    awaitHanging();
    assertEquals(
        "[+]alive ok\n[-]deadlock failed: found\nlivez check failed\n", get("/livez").body());
  }

  @Test
  void condition_ofLivenessFailsInAShutdown_liveness_passes() {
    condition(ProbeKind.LIVENESS, "deadlock", () -> Optional.of("found"));
    awaitRound(1);
    subject.ending = true;
    assertEquals(200, get("/livez").status());
  }

  @Test
  void condition_readinessFailedByTheShutdown_isNotListed() {
    readiness("db", () -> Optional.of("no connection"));
    awaitRound(1);
    subject.unready = Optional.of("shutting down");
    assertEquals("[-]traffic failed: shutting down\nreadyz check failed\n", get("/readyz").body());
  }

  @Test
  void condition_leavesItsThreadInterrupted_theNextIsNot() {
    readiness(
        "db",
        () -> {
          Thread.currentThread().interrupt();
          return Optional.empty();
        });
    readiness(
        "cache",
        () ->
            Thread.currentThread().isInterrupted() ? Optional.of("interrupted") : Optional.empty());
    nextRound(2);
    assertReadiness("[+]db ok", "[+]cache ok");
  }

  /** In a container with several applications each has its own. */
  @Test
  void condition_whereverItIsAsked_hasTheClassLoaderOfTheThreadThatRegisteredIt() {
    Thread self = Thread.currentThread();
    ClassLoader usual = self.getContextClassLoader();
    ClassLoader orders = new ClassLoader(usual) {};
    List<ClassLoader> seen = new CopyOnWriteArrayList<>();
    Supplier<Optional<String>> look =
        () -> {
          seen.add(Thread.currentThread().getContextClassLoader());
          return Optional.empty();
        };
    self.setContextClassLoader(orders);
    readiness("orders", look);
    self.setContextClassLoader(usual);
    awaitRound(1);
    readiness("others", look);
    awaitRound(1);
    assertEquals(List.of(orders, orders, usual), seen);
  }

  @Test
  void close_once_takesTheConditionBack() {
    AtomicInteger asked = new AtomicInteger();
    Condition condition =
        readiness(
            "db",
            () -> {
              asked.incrementAndGet();
              return Optional.of("no connection");
            });
    awaitRound(1);
    condition.close();
    assertEquals("ok\n", get("/readyz").body());
    nextRound(2);
    assertEquals(1, asked.get());
    readiness("db", Optional::empty);
    awaitRound(2);
    condition.close();
    assertReadiness("[+]db ok");
  }

  @Test
  void changes_ofAnyKind_areTold() {
    Condition condition = readiness("db", this::answer);
    awaitRound(1);
    assertEquals(2, subject.changes.get(), "registered and passes");
    nextRound(2);
    assertEquals(2, subject.changes.get());
    answer = () -> Optional.of("no connection");
    nextRound(3);
    assertEquals(3, subject.changes.get());
    condition.close();
    assertEquals(4, subject.changes.get());
  }

  @Test
  void changes_ofAnAnswer_areLoggedOnce() {
    answer = () -> Optional.of("cold");
    readiness("db", this::answer);
    nextRound(2);
    answer = Optional::empty;
    nextRound(3);
    answer = () -> Optional.of("gone");
    nextRound(4);
    nextRound(5);
    String[] lines = log.text().split("Condition 'db' of /readyz ", -1);
    assertEquals(4, lines.length, log.text());
    assertTrue(lines[1].startsWith("does not pass yet: cold"), lines[1]);
    assertTrue(lines[2].startsWith("passes"), lines[2]);
    assertTrue(lines[3].startsWith("fails: gone"), lines[3]);
  }

  @Test
  void endConditions_oneHangs_interruptsItAndEndsTheThread() {
    CompletableFuture<Thread> asking = new CompletableFuture<>();
    readiness(
        "db",
        () -> {
          asking.complete(Thread.currentThread());
          return hang();
        });
    awaitHanging();
    probes.endConditions();
    Awaitility.await().until(() -> !asking.join().isAlive());
    assertReadiness("[-]db failed: java.lang.IllegalStateException: interrupted");
  }

  @Test
  void condition_sameNameForTheSameProbe_isRefused() {
    readiness("db", Optional::empty);
    condition(ProbeKind.START_UP, "db", Optional::empty);
    assertRefused("/readyz has a condition 'db' already; allowed: another name", "db");
  }

  @Test
  void condition_badName_isRefused() {
    String message = "A condition's name '%s' is not printable text of 1 to 100 characters";
    for (String name : List.of(" ", "a\nb", "x".repeat(101))) {
      assertRefused(message.formatted(name), name);
    }
  }

  private void assertRefused(String message, String name) {
    Exception e =
        assertThrows(IllegalArgumentException.class, () -> readiness(name, Optional::empty));
    assertEquals(message, e.getMessage());
  }

  private static final class Subject implements ProbeSubject {
    final AtomicInteger changes = new AtomicInteger();
    volatile boolean ending;
    volatile Optional<String> unready = Optional.empty();

    @Override
    public boolean isStarted() {
      return true;
    }

    @Override
    public Optional<String> unready() {
      return unready;
    }

    @Override
    public boolean isEnding() {
      return ending;
    }

    @Override
    public CompletableFuture<?> preStop(Wait wait) {
      return new CompletableFuture<>();
    }

    @Override
    public void takeOutOfService(boolean on) {}

    @Override
    public void changed() {
      changes.incrementAndGet();
    }
  }
}
