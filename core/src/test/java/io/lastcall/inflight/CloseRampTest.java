package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.ManualTicker;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CloseRampTest {
  private static final int RESPONSES = 10_000;

  private final ManualTicker ticker = new ManualTicker();
  private final GateControl control = new GateControl(ticker);
  private final RequestGate gate = control.gate();

  private int closing() {
    int closing = 0;
    for (int i = 0; i < RESPONSES; i++) {
      closing += gate.shouldCloseConnection() ? 1 : 0;
    }
    return closing;
  }

  @Test
  void shouldCloseConnection_noShutdown_isNever() {
    assertEquals(0, closing());
    assertFalse(gate.isEnding());
  }

  @Test
  void shouldCloseConnection_rampBegins_isNotYet() {
    control.leave(Duration.ofSeconds(10));
    assertTrue(gate.isEnding());
    assertEquals(0, closing());
  }

  @Test
  void shouldCloseConnection_alongTheRamp_growsInProportionSoThatNotAllReconnectAtOnce() {
    control.leave(Duration.ofSeconds(10));
    ticker.advance(Duration.ofMillis(2_500));
    int quarter = closing();
    ticker.advance(Duration.ofSeconds(5));
    int threeQuarters = closing();
    // 10,000 draws have a standard deviation of 43: 10 of them either way is never by chance.
    assertTrue(quarter > 2_000 && quarter < 3_000, "at 1/4: " + quarter);
    assertTrue(threeQuarters > 7_000 && threeQuarters < 8_000, "at 3/4: " + threeQuarters);
  }

  @Test
  void shouldCloseConnection_rampIsOver_isAlways() {
    control.leave(Duration.ofSeconds(10));
    ticker.advance(Duration.ofSeconds(10));
    assertEquals(RESPONSES, closing());
    ticker.advance(Duration.ofSeconds(10));
    assertEquals(RESPONSES, closing());
  }

  @Test
  void shouldCloseConnection_noWindow_isAlwaysFromTheTrigger() {
    control.leave(Duration.ZERO);
    assertEquals(RESPONSES, closing());
  }

  @Test
  void shouldCloseConnection_draining_isAlways() {
    control.leave(Duration.ofSeconds(10));
    control.refuse();
    assertEquals(RESPONSES, closing());
  }

  @Test
  void shouldCloseConnection_outOfServiceThatLeaves_staysSo() {
    control.outOfService(true);
    control.leave(Duration.ofSeconds(10));
    assertEquals(RESPONSES, closing());
  }

  @Test
  void mayCloseConnections_isSoAsLongAsAnyAnswerMayBeYes() {
    assertFalse(gate.mayCloseConnections());
    control.outOfService(true);
    assertTrue(gate.mayCloseConnections());
    control.outOfService(false);
    assertFalse(gate.mayCloseConnections());
    control.leave(Duration.ofSeconds(10));
    assertTrue(gate.mayCloseConnections());
  }

  @Test
  void shouldCloseConnection_requestFromBeforeTheShutdown_isDecidedWhenItsHeadIsWritten() {
    TestPermit slow = new TestPermit("GET /slow");
    assertTrue(gate.enter(slow));
    control.leave(Duration.ZERO);
    assertTrue(gate.shouldCloseConnection());
  }
}
