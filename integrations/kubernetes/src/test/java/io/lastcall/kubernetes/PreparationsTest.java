package io.lastcall.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.Removable;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.process.CapturedLog;
import io.lastcall.testing.FixedProbes;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class PreparationsTest {
  private static final String TOKEN = "0123456789abcdef";
  private static final String THREAD = "lastcall-preparation";

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final ManualTicker ticker = new ManualTicker();
  private final FakeMember member = new FakeMember();
  private volatile boolean deleted;
  private final Probes probes = probes(ProbeToken.of(TOKEN));
  private final Preparations preparations = new Preparations(probes, ticker, () -> deleted);

  private static Probes probes(ProbeToken token) {
    return new Probes(new FixedProbes(() -> true, () -> true), token, Ticker.system());
  }

  @AfterEach
  void close() {
    preparations.close(Deadline.after(Duration.ZERO, ticker));
    probes.endConditions();
  }

  private static Preparation answering(Supplier<PreparationAnswer> answer) {
    return new Preparation() {
      @Override
      public PreparationAnswer prepare() {
        return answer.get();
      }

      @Override
      public void cancel() {}
    };
  }

  private CompletableFuture<ProbeAnswer> ask(Probes asked, String method, String token) {
    Map<String, String> headers = Map.of(ProbeRequest.TOKEN_HEADER, token);
    return asked
        .answer(ProbeRequest.of(method, Preparations.PATH, headers::get))
        .toCompletableFuture();
  }

  /** Asks, and waits until the thread waits for the end of the lease. */
  private String prepare() {
    ProbeAnswer answer = ask(probes, "POST", TOKEN).join();
    ticker.awaitParkedUntil(THREAD, ticker.elapsed().plusSeconds(30));
    return answer.status() + " " + answer.body().strip();
  }

  private void awaitCancelled() {
    Awaitility.await().until(() -> member.cancelled == 1);
  }

  @Test
  void prepare_asTheApplicationGoesOn_saysHowFarItIs() {
    preparations.register("shards", member);
    assertEquals(
        "202 {\"state\":\"preparing\",\"forSeconds\":0,\"etaSeconds\":3,"
            + "\"detail\":\"shards: 0 of 3 shards moved\"}",
        prepare());
    ticker.advance(Duration.ofSeconds(12));
    member.moveOn();
    assertEquals(
        "202 {\"state\":\"preparing\",\"forSeconds\":12,\"etaSeconds\":2,"
            + "\"detail\":\"shards: 1 of 3 shards moved\"}",
        prepare());
    member.moveOn();
    member.moveOn();
    assertEquals("200 {\"state\":\"prepared\",\"forSeconds\":12}", prepare());
  }

  @Test
  void prepare_wrongToken_is403AndBeginsNothing() {
    preparations.register("shards", member);
    assertEquals(403, ask(probes, "POST", "fedcba9876543210").join().status());
    assertEquals(403, ask(probes, "POST", "").join().status());
    assertEquals(0, member.asked);
  }

  @Test
  void prepare_noTokenIsSet_thereIsNoSuchPathAndALineSaysSo() {
    Probes open = probes(ProbeToken.none());
    Preparations unheard = new Preparations(open, ticker, () -> false);
    unheard.register("shards", member);
    assertEquals(404, ask(open, "POST", TOKEN).join().status());
    assertEquals(0, member.asked);
    log.assertLogged("Nothing can ask 'shards' to prepare: pre-stop-token is not set");
    unheard.close(Deadline.after(Duration.ZERO, ticker));
  }

  @Test
  void prepare_otherMethod_is405AndBeginsNothing() {
    preparations.register("shards", member);
    assertEquals(405, ask(probes, "GET", TOKEN).join().status());
    assertEquals(0, member.asked);
  }

  @Test
  void prepare_nothingRegistered_isRefused() {
    ProbeAnswer answer = ask(probes, "POST", TOKEN).join();
    assertEquals(409, answer.status());
    assertTrue(answer.body().contains("no preparation is registered"), answer.body());
  }

  @Test
  void prepare_several_arePreparedWhenAllAreAndRefusedByOne() {
    preparations.register("shards", member);
    FakeMember other = new FakeMember();
    preparations.register("leader", other);
    Removable quorum =
        preparations.register(
            "quorum",
            answering(
                () -> {
                  return PreparationAnswer.refused("1 of \"3\"\tis up");
                }));
    assertEquals(
        "409 {\"state\":\"refused\",\"forSeconds\":0,"
            + "\"reason\":\"quorum: 1 of \\u00223\\u0022\\u0009is up\"}",
        prepare());
    quorum.remove();
    member.moved = 3;
    other.moved = 1;
    assertTrue(prepare().endsWith("\"etaSeconds\":2,\"detail\":\"leader: 1 of 3 shards moved\"}"));
    other.moved = 3;
    assertTrue(prepare().startsWith("200 "));
  }

  @Test
  void lease_notAskedFor30s_isCancelledOnce() {
    preparations.register("shards", member);
    prepare();
    ticker.advance(Duration.ofSeconds(29));
    prepare();
    ticker.advance(Duration.ofSeconds(29));
    ticker.awaitParkedUntil(THREAD, Duration.ofSeconds(59));
    assertEquals(0, member.cancelled);
    ticker.advance(Duration.ofSeconds(1));
    awaitCancelled();
    assertTrue(prepare().contains("\"forSeconds\":0,"));
    assertEquals(1, member.cancelled);
  }

  @Test
  void lease_theProcessEnds_isNeverCancelled() {
    preparations.register("shards", member);
    prepare();
    preparations.ending(new FixedControl());
    ticker.advance(Duration.ofSeconds(31));
    ticker.awaitParkedUntil(THREAD, Duration.ofSeconds(31).plus(Deadline.LONGEST));
    assertEquals(0, member.cancelled);
  }

  @Test
  void lease_preparedAndThePodIsBeingDeleted_isNeverCancelled() {
    preparations.register("shards", member);
    member.moved = 3;
    prepare();
    deleted = true;
    ticker.advance(Duration.ofSeconds(31));
    ticker.awaitParkedUntil(THREAD, Duration.ofSeconds(31).plus(Deadline.LONGEST));
    assertEquals(0, member.cancelled);
  }

  @Test
  void uninstall_whilePreparing_cancels() {
    preparations.register("shards", member);
    prepare();
    preparations.close(Deadline.after(Duration.ZERO, ticker));
    awaitCancelled();
  }

  @Test
  void prepare_throws_isRefusedWithItsText() {
    preparations.register(
        "shards",
        answering(
            () -> {
              throw new IllegalStateException("no store");
            }));
    assertTrue(
        prepare().endsWith("shards: it failed: java.lang.IllegalStateException: no store\"}"));
    log.assertLogged("The preparation 'shards' failed");
  }

  @Test
  void prepare_hangs_laterQuestionsShareOneAndProbesAreAnswered() {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    preparations.register("shards", member);
    preparations.register(
        "slow",
        answering(
            () -> {
              entered.countDown();
              try {
                leave.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              return PreparationAnswer.prepared();
            }));
    CompletableFuture<ProbeAnswer> first = ask(probes, "POST", TOKEN);
    Awaitility.await().until(() -> entered.getCount() == 0);
    CompletableFuture<ProbeAnswer> second = ask(probes, "POST", TOKEN);
    CompletableFuture<ProbeAnswer> third = ask(probes, "POST", TOKEN);
    assertTrue(probes.isReady());
    leave.countDown();
    assertEquals(202, first.join().status());
    assertEquals(second.join(), third.join());
    assertEquals(2, member.asked);
  }

  @Test
  void register_theSameNameTwice_isRefused() {
    preparations.register("shards", member);
    assertThrows(
        IllegalArgumentException.class, () -> preparations.register("shards", new FakeMember()));
  }
}
