package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.connection.DrainableServer;
import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A client that opens connections straight to the Pod keeps the hold of FAIL_READINESS to its end.
 */
@Timeout(120)
class ScraperTest {
  private static final int SCRAPER = 7;
  private static final int OTHER = 8;

  private static final String HOLD =
      "new connections came until 4.8 s after readiness had failed at 15 s; raise readiness-hold to"
          + " 7 s (a quarter and a second more than seen): routers that go by readiness leave only"
          + " then, however long the delay";

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  /** To where the hold begins; both clients have come until then. */
  private void passDelay() {
    harness.terminate();
    harness.pass(11_250);
    harness.awaitSequenceUntil(15_000);
    harness.ticker.advanceTo(millis(14_000));
    harness.connect(SCRAPER);
    harness.ticker.advanceTo(millis(14_500));
    harness.connect(OTHER);
    harness.ticker.advanceTo(millis(15_000));
    harness.awaitSequenceUntil(17_000);
  }

  /** The scraper comes 1.5 s, 3 s and 4.8 s after readiness failed. */
  private void passHold() {
    harness.ticker.advanceTo(millis(16_500));
    harness.connect(SCRAPER);
    harness.pass(17_000);
    harness.awaitSequenceUntil(18_500);
    harness.ticker.advanceTo(millis(18_000));
    harness.connect(SCRAPER);
    harness.pass(18_500);
    harness.awaitSequenceUntil(19_875);
    harness.ticker.advanceTo(millis(19_800));
    harness.connect(SCRAPER);
  }

  private void assertAdvice(String text) {
    harness.pass(19_875);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(millis(4_875), harness.phase(Phase.FAIL_READINESS).took());
    assertEquals(List.of(text), harness.report().advice());
    log.assertLogged("advice: " + text);
  }

  @Test
  void hold_keptByOneClientAlone_adviceNamesItsAddress() {
    passDelay();
    passHold();
    assertAdvice(
        HOLD
            + ". Since readiness failed they came from 10.0.0.7 alone: if it goes straight to the"
            + " Pod, as a scraper does, no hold is needed");
  }

  @Test
  void hold_otherClientLeavesFirst_adviceSaysWhichHoldThatNeeds() {
    passDelay();
    harness.ticker.advanceTo(millis(15_500));
    harness.connect(OTHER);
    passHold();
    assertAdvice(
        HOLD
            + ". After 500 ms they came from 10.0.0.7 alone: if it goes straight to the Pod, as a"
            + " scraper does, 2 s is enough");
  }

  @Test
  void hold_keptByTwoClients_adviceNamesNeither() {
    passDelay();
    passHold();
    harness.connect(OTHER);
    assertAdvice(HOLD);
  }

  @Test
  void hold_clientIsNotKnown_adviceNamesNobody() {
    passDelay();
    passHold();
    harness.ticker.advanceTo(millis(19_801));
    harness.connect(null);
    assertAdvice(HOLD.replace("to 7 s", "to 8 s"));
  }

  /** Others may have come by that. */
  @Test
  void hold_besideAServerThatDoesNotListItsConnections_adviceNamesNobody() {
    harness.builder().server(DrainableServer.of("web", deadline -> {}, deadline -> {}));
    passDelay();
    passHold();
    harness.pass(19_875);
    harness.pass(20_300); // half a second after the last request
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(List.of(HOLD), harness.report().advice());
  }
}
