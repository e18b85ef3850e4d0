package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.time.Background;
import io.lastcall.time.Ticker;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventLoopPermitTest {
  private final GateControl control = new GateControl(Ticker.system());
  private final Connection connection = new Connection(control.gate());

  @Test
  void requests_oneAfterTheOther_areCountedEach() {
    for (int i = 0; i < 3; i++) {
      assertTrue(connection.enter());
      assertEquals(1, control.gate().inFlight());
      assertTrue(connection.release());
      assertFalse(connection.release());
    }
    assertEquals(3, control.finished());
  }

  @Test
  void listing_showsTheConnectionOnlyWhileARequestIsInFlight() {
    assertTrue(connection.enter());
    assertEquals(Optional.of(Thread.currentThread()), control.running().get(0).thread());
    connection.release();
    assertTrue(control.running().isEmpty());
  }

  @Test
  void retire_withARequestInFlight_endsIt() {
    assertTrue(connection.enter());
    connection.retire();
    assertEquals(0, control.gate().inFlight());
    assertTrue(control.gate().table().list().isEmpty());
  }

  @Test
  void enter_atAClosedGate_isRefusedAndOwesNothing() {
    control.close();
    assertFalse(connection.enter());
    assertFalse(connection.release());
    assertEquals(1, control.refused());
    assertEquals(0, control.gate().inFlight());
  }

  @Test
  void enter_withTheFormerRequestInFlight_isRefusedAsMisuse() {
    assertTrue(connection.enter());
    Exception e = assertThrows(IllegalStateException.class, connection::enter);
    String thread = Thread.currentThread().getName();
    assertEquals(
        "enter() on %s, permit of %s, held; allowed: on that thread, one request at a time"
            .formatted(thread, thread),
        e.getMessage());
    assertEquals(1, control.gate().inFlight());
  }

  @Test
  void release_onAnotherThread_isRefusedAsMisuse() {
    assertTrue(connection.enter());
    Background<Exception> elsewhere =
        Background.run(() -> assertThrows(IllegalStateException.class, connection::release));
    String message = String.valueOf(elsewhere.result().getMessage());
    assertTrue(message.startsWith("release() on "), message);
    assertTrue(
        message.endsWith(
            "permit of %s, held; allowed: on that thread, one request at a time"
                .formatted(Thread.currentThread().getName())),
        message);
    assertEquals(1, control.gate().inFlight());
  }

  private static final class Connection extends EventLoopPermit {
    Connection(RequestGate gate) {
      super(gate);
    }
  }
}
