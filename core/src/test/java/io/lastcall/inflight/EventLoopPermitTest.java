package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EventLoopPermitTest {
  private final GateControl control = new GateControl(Ticker.system());
  private final EventLoopPermits<Request> connection =
      new EventLoopPermits<>(control.gate(), control.gate().accepted(null), Request::new);

  @Test
  void requests_oneAfterTheOther_areCountedEach() {
    Request request = connection.take();
    for (int i = 0; i < 3; i++) {
      assertTrue(request.enter());
      assertEquals(1, control.gate().inFlight());
      assertTrue(request.release());
      assertFalse(request.release());
    }
    assertEquals(3, control.finished());
  }

  @Test
  void take_ofOneThatWasKept_createsNone() {
    Request first = connection.take();
    Request second = connection.take();
    assertNotSame(first, second);
    connection.keep(first);
    connection.keep(second);
    assertSame(second, connection.take());
    assertSame(first, connection.take());
    assertNotSame(first, connection.take());
  }

  @Test
  void listing_showsWhatIsInFlight() {
    Request first = connection.take();
    Request second = connection.take();
    assertTrue(first.enter());
    assertTrue(second.enter());
    assertEquals(2, control.running().size());
    first.release();
    List<InFlight> left = control.gate().table.list();
    assertEquals(List.of(second), left);
    assertEquals(Optional.of(Thread.currentThread()), left.get(0).thread());
    second.release();
    assertTrue(control.running().isEmpty());
  }

  @Test
  void listing_behindABurst_losesNone() {
    // More than four times as many, so that the list shrinks again.
    int burst = EventLoopPermits.KEPT * 5;
    List<Request> requests = IntStream.range(0, burst).mapToObj(i -> connection.take()).toList();
    requests.forEach(Request::enter);
    Set<InFlight> left = Set.copyOf(requests);
    for (int i = 0; i < burst - 1; i++) {
      // From both ends: those that are not kept leave holes anywhere.
      Request request = requests.get(i % 2 == 0 ? i / 2 : burst - 1 - i / 2);
      request.release();
      connection.keep(request);
      left = left.stream().filter(other -> other != request).collect(Collectors.toSet());
      assertEquals(left, Set.copyOf(control.gate().table.list()));
    }
    assertEquals(EventLoopPermits.KEPT + 1, connection.size());
  }

  @Test
  void drop_endsTheListingOfOneThatIsNotUsedAgain() {
    Request request = connection.take();
    connection.drop(request);
    assertEquals(0, connection.size());
    assertNotSame(request, connection.take());
  }

  @Test
  void close_withARequestInFlight_keepsItCounted() {
    Request request = connection.take();
    assertTrue(request.enter());
    connection.close();
    assertTrue(control.gate().table.list().isEmpty());
    assertEquals(1, control.gate().inFlight());
    assertTrue(request.release());
    assertEquals(0, control.gate().inFlight());
    connection.take();
    assertTrue(control.gate().table.attached.isEmpty(), "nobody would detach it again");
  }

  @Test
  void enter_atAClosedGate_isRefusedAndOwesNothing() {
    control.close();
    Request request = connection.take();
    assertFalse(request.enter());
    assertFalse(request.release());
    assertEquals(1, control.refused());
    assertEquals(0, control.gate().inFlight());
  }

  @Test
  void enter_whileTheServerLeaves_isAdmittedAndIsAnArrival() {
    Request before = connection.take();
    assertTrue(before.enter());
    control.leave(Duration.ZERO);
    assertEquals(Optional.empty(), control.lastArrival());
    assertTrue(connection.take().enter());
    assertTrue(control.lastArrival().isPresent());
    assertEquals(2, control.gate().inFlight());
  }

  @Test
  void enter_onAConnectionThatIsNewSinceTheTrigger_isTheLastConnection() {
    control.leave(Duration.ZERO);
    EventLoopPermits<Request> later =
        new EventLoopPermits<>(control.gate(), control.gate().accepted(null), Request::new);
    assertTrue(connection.take().enter());
    assertEquals(Optional.empty(), control.lastConnection());
    assertTrue(later.take().enter());
    assertTrue(control.lastConnection().isPresent());
  }

  @Test
  void enter_withTheFormerRequestInFlight_isRefusedAsMisuse() {
    Request request = connection.take();
    assertTrue(request.enter());
    Exception e = assertThrows(IllegalStateException.class, request::enter);
    assertEquals(
        "enter() of a permit that is in use; allowed: one that was taken, for one request at a time",
        e.getMessage());
    assertEquals(1, control.gate().inFlight());
  }

  @Test
  void enter_ofOneThatWasNotTaken_isRefusedAsMisuse() {
    Exception e = assertThrows(IllegalStateException.class, new Request()::enter);
    assertEquals(
        "enter() of a permit that is not of EventLoopPermits.take(); allowed: one that was taken,"
            + " for one request at a time",
        e.getMessage());
  }

  private static final class Request extends EventLoopPermit {}
}
