package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BallastTest {
  private final ManualTicker ticker = new ManualTicker();
  private final Ballast ballast = new Ballast(ticker);

  private void keepMuch() {
    Duration rest = Duration.ofMillis(250);
    ballast.start();
    ballast.keepMuch();
    ticker.awaitParkedUntil("lastcall-ballast", rest);
    assertEquals(1, ballast.kept());
    ticker.advance(rest);
    awaitKept(5);
  }

  private void awaitKept(int portions) {
    Awaitility.await().until(() -> ballast.kept() == portions);
  }

  @Test
  void start_always_keepsOnePortion() {
    ballast.start();
    awaitKept(1);
    ballast.drop();
  }

  @Test
  void keepMuch_enoughIsFree_keepsFiveAndDropsThemAtOnce() {
    keepMuch();
    ballast.drop();
    awaitEnd();
  }

  @Test
  void letGo_portionAfterPortion_awaitsItsCollection() {
    keepMuch();
    ballast.letGo();
    awaitState(Thread.State.TIMED_WAITING);
    while (ballast.kept() > 0) {
      System.gc();
    }
    System.gc();
    awaitEnd();
  }

  @Test
  @SuppressWarnings("NullAway") // nothing to halt: it fails behind what comes before
  void halt_heapMayBeFull_letsGoOfTheBallastFirst() {
    ballast.start();
    awaitKept(1);
    assertThrows(NullPointerException.class, () -> HotSpot.halt(ballast, null, 81));
    awaitKept(0);
    System.gc();
    awaitEnd();
  }

  @Test
  void drop_beforeTheRestIsOver_keepsNoMore() {
    ballast.start();
    ballast.keepMuch();
    ticker.awaitParkedUntil("lastcall-ballast", Duration.ofMillis(250));
    ballast.drop();
    awaitEnd();
  }

  private void awaitState(Thread.State state) {
    Awaitility.await().until(() -> ballast.state() == state);
  }

  private void awaitEnd() {
    awaitState(Thread.State.TERMINATED);
    assertEquals(0, ballast.kept());
  }
}
