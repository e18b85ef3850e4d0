package io.lastcall.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.Connections.CloseCause;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.process.CapturedLog;
import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class ConnectionsTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final ManualTicker ticker = new ManualTicker();
  private final ConnectionControl control = new ConnectionControl();
  private final Connections connections = control.connections();
  private final Deadline deadline = Deadline.after(Duration.ofSeconds(10), ticker);
  private final AtomicInteger told = new AtomicInteger();

  private Registration register(String kind, Runnable onClose) {
    return register(kind, onClose, () -> true);
  }

  private Registration register(String kind, Runnable onClose, BooleanSupplier atWork) {
    return connections.register(
        new LongLivedConnection() {
          @Override
          public String kind() {
            return kind;
          }

          @Override
          public void close() {
            told.incrementAndGet();
            onClose.run();
          }

          @Override
          public boolean forceClose() {
            return !atWork.getAsBoolean();
          }
        });
  }

  private Registration patient() {
    return register("websocket", () -> {});
  }

  private void registerObedient(String kind) {
    List<Registration> self = new ArrayList<>();
    self.add(register(kind, () -> self.get(0).closed()));
  }

  private Background<Boolean> closeAll(Duration window) {
    return Background.run(() -> control.closeAll(window, deadline));
  }

  @Test
  void closeAll_none_isDoneAtOnce() {
    assertTrue(control.closeAll(Duration.ofSeconds(2), deadline));
    assertEquals(Map.of(), control.ended());
  }

  @Test
  void closed_beforeTheShutdown_isForgottenAndNotCounted() {
    Registration registration = patient();
    assertEquals(1, connections.open());
    registration.closed();
    registration.closed();
    assertEquals(0, connections.open());
    assertEquals(1, connections.closed("websocket", CloseCause.ITSELF));
    assertTrue(control.closeAll(Duration.ZERO, deadline));
    assertEquals(Map.of(), control.ended());
    assertEquals(0, told.get());
  }

  @Test
  void counts_ofAKindThatNeverWas_areZero() {
    assertEquals(0, connections.open("sse"));
    assertEquals(0, connections.closed("sse", CloseCause.ITSELF));
  }

  @Test
  void onKind_isToldOnceOfEachThatIsThereAndOfEachThatComes() {
    patient();
    List<String> kinds = new ArrayList<>();
    connections.onKind(kinds::add);
    assertEquals(List.of("websocket"), kinds);
    patient();
    register("sse", () -> {});
    assertEquals(List.of("websocket", "sse"), kinds);
  }

  @Test
  void onKind_listenerThrowsAnError_connectionIsRegistered() {
    connections.onKind(
        kind -> {
          throw new NoClassDefFoundError("somebody's");
        });
    patient();
    assertEquals(1, connections.open());
    log.assertLogged("A listener failed that was told of connections 'websocket'");
  }

  @Test
  void closeAll_obedientOnes_areCountedByKind() {
    registerObedient("websocket");
    registerObedient("websocket");
    registerObedient("sse");
    assertTrue(control.closeAll(Duration.ZERO, deadline));
    assertEquals(Map.of("websocket", 2L, "sse", 1L), control.ended());
    assertEquals(0, connections.open());
  }

  @Test
  void closeAll_lastOneGoes_wakesTheSequenceWithoutPolling() {
    Registration first = patient();
    Registration last = patient();
    Background<Boolean> closing = closeAll(Duration.ZERO);
    assertEquals(LongLivedConnection.ANSWER, ticker.awaitParked(closing.thread()));
    assertEquals(2, told.get());
    first.closed();
    assertFalse(closing.isDone());
    last.closed();
    assertTrue(closing.result());
  }

  @Test
  void closeAll_oneStays_endsAtTheDeadline() {
    patient();
    Background<Boolean> closing = closeAll(Duration.ZERO);
    ticker.awaitParked(closing.thread());
    ticker.advance(Duration.ofSeconds(10));
    assertFalse(closing.result());
    assertEquals(1, connections.open());
    assertEquals(1, told.get());
  }

  @Test
  void closeAll_many_arePacedOverTheWindowInsteadOfOneBurst() {
    for (int i = 0; i < 10; i++) {
      patient();
    }
    assertPaced(10, closeAll(Duration.ofSeconds(2)), 200);
  }

  /** Applications restore the flag when they catch an InterruptedException. */
  @Test
  void closeAll_firstInterruptsItsCaller_othersArePacedAllTheSame() {
    for (int i = 0; i < 20; i++) {
      register("websocket", this::interruptIfFirst);
    }
    assertPaced(20, closeAll(Duration.ofSeconds(2)), 100);
  }

  private void interruptIfFirst() {
    if (told.get() == 1) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void register_whileClosingOnAnInterruptedThread_keepsItInterrupted() {
    control.closeAll(Duration.ZERO, deadline);
    Thread.currentThread().interrupt();
    register("websocket", () -> {});
    assertTrue(Thread.interrupted());
    assertEquals(1, told.get());
  }

  private void assertPaced(int connections, Background<Boolean> closing, long slotMillis) {
    for (int slot = 0; slot < connections; slot++) {
      // Each has a slot of its own: by its end that one and no other has been told.
      Duration turn = ticker.awaitParked(closing.thread());
      assertTrue(turn.compareTo(Duration.ofMillis(slotMillis * slot)) >= 0, turn::toString);
      assertTrue(turn.compareTo(Duration.ofMillis(slotMillis * (slot + 1))) < 0, turn::toString);
      assertEquals(slot, told.get());
      assertFalse(control.areAllToldToClose());
      ticker.advanceTo(turn);
      int expected = slot + 1;
      Awaitility.await().until(() -> told.get() == expected);
    }
    ticker.awaitParked(closing.thread());
    assertTrue(control.areAllToldToClose());
    ticker.advanceTo(Duration.ofSeconds(10));
    assertFalse(closing.result());
  }

  @Test
  void register_whileClosing_isToldAtOnce() {
    Registration before = patient();
    Background<Boolean> closing = closeAll(Duration.ZERO);
    ticker.awaitParked(closing.thread());
    Registration late = patient();
    assertEquals(2, told.get());
    before.closed();
    assertFalse(closing.isDone());
    late.closed();
    assertTrue(closing.result());
    assertEquals(Map.of("websocket", 2L), control.ended());
  }

  /** A client that never answers; at work is what the server itself still does for it. */
  private void registerSilent(BooleanSupplier atWork) {
    register("websocket", () -> {}, atWork);
  }

  @Test
  void closeAll_clientDoesNotAnswer_isForcedToCloseWhenItHasHadItsTime() {
    registerSilent(() -> false);
    Background<Boolean> closing = closeAll(Duration.ZERO);
    assertEquals(LongLivedConnection.ANSWER, ticker.awaitParked(closing.thread()));
    assertEquals(1, connections.open());
    ticker.advance(LongLivedConnection.ANSWER);
    assertTrue(closing.result());
    assertEquals(Map.of("websocket", 1L), control.ended());
    assertEquals(1, connections.closed("websocket", CloseCause.SHUTDOWN));
  }

  @Test
  void closeAll_serverIsAtWorkForASilentClient_isAskedAgainAfterAsLong() {
    AtomicInteger asked = new AtomicInteger();
    registerSilent(() -> asked.incrementAndGet() < 3);
    Background<Boolean> closing = closeAll(Duration.ZERO);
    for (int second = 1; second <= 3; second++) {
      assertEquals(Duration.ofSeconds(second), ticker.awaitParked(closing.thread()));
      assertEquals(second - 1, asked.get());
      ticker.advanceTo(Duration.ofSeconds(second));
    }
    assertTrue(closing.result());
  }

  @Test
  void closeAll_silentOneGoesMeanwhile_isNotAsked() {
    List<Registration> both = new ArrayList<>();
    AtomicInteger asked = new AtomicInteger();
    BooleanSupplier endsBoth =
        () -> {
          asked.incrementAndGet();
          both.forEach(Registration::closed);
          return false;
        };
    both.add(register("websocket", () -> {}, endsBoth));
    both.add(register("websocket", () -> {}, endsBoth));
    Background<Boolean> closing = closeAll(Duration.ZERO);
    ticker.awaitParked(closing.thread());
    ticker.advance(LongLivedConnection.ANSWER);
    assertTrue(closing.result());
    assertEquals(1, asked.get());
  }

  @Test
  void closeAll_silentOneComesWhileOthersAreAwaited_hasItsTimeToo() {
    patient();
    Background<Boolean> closing = closeAll(Duration.ZERO);
    ticker.awaitParked(closing.thread());
    registerSilent(() -> false);
    ticker.advanceTo(Duration.ofSeconds(1));
    assertEquals(Duration.ofSeconds(2), ticker.awaitParked(closing.thread()));
    assertEquals(2, connections.open());
    ticker.advanceTo(Duration.ofSeconds(2));
    ticker.awaitParked(closing.thread());
    assertEquals(1, connections.open());
    ticker.advanceTo(Duration.ofSeconds(10));
    assertFalse(closing.result());
  }

  /** As in a short grace period: one silent client is no reason for exit code 80 there either. */
  @Test
  void closeAll_deadlineWithinTheTimeToAnswer_isAskedWithinThatToo() {
    registerSilent(() -> false);
    Deadline soon = Deadline.after(Duration.ofMillis(750), ticker);
    Background<Boolean> closing = Background.run(() -> control.closeAll(Duration.ZERO, soon));
    assertEquals(Duration.ofMillis(250), ticker.awaitParked(closing.thread()));
    ticker.advanceTo(Duration.ofMillis(250));
    assertTrue(closing.result());
    assertEquals(0, connections.open());
  }

  @Test
  void closeAll_deadlineHasPassed_asksOnceAndIsOver() {
    registerSilent(() -> true);
    Deadline over = Deadline.after(Duration.ZERO, ticker);
    assertFalse(control.closeAll(Duration.ZERO, over));
    assertEquals(1, connections.open());
  }

  @Test
  void closeAll_forceCloseFails_isLoggedAndCountsAsClosed() {
    registerSilent(
        () -> {
          throw new IllegalStateException("already gone");
        });
    registerSilent(() -> false);
    Background<Boolean> closing = closeAll(Duration.ZERO);
    ticker.awaitParked(closing.thread());
    ticker.advance(LongLivedConnection.ANSWER);
    assertTrue(closing.result());
    assertEquals(1, connections.closed("websocket", CloseCause.FAILURE));
    log.assertLogged("Could not force-close websocket");
  }

  @Test
  void closeAll_closeFails_isLoggedCountsAsClosedAndTheOthersAreTold() {
    register(
        "sse",
        () -> {
          throw new IllegalStateException("already gone");
        });
    register(
        "sse",
        () -> {
          throw new NoClassDefFoundError("com/example/Gone");
        });
    register(
        "sse",
        () -> {
          throw new OutOfMemoryError("of its own");
        });
    registerObedient("websocket");
    assertTrue(control.closeAll(Duration.ZERO, deadline));
    assertEquals(Map.of("sse", 3L, "websocket", 1L), control.ended());
    log.assertLogged("Could not close sse");
  }

  @Test
  void closeAll_closeAndKindFail_countsUnderTheFirstKindAndTheOthersAreTold() {
    AtomicInteger asked = new AtomicInteger();
    connections.register(
        new LongLivedConnection() {
          @Override
          public String kind() {
            if (asked.incrementAndGet() > 1) {
              throw new IllegalStateException("no session");
            }
            return "sse";
          }

          @Override
          public void close() {
            throw new IllegalStateException("already gone");
          }
        });
    registerObedient("websocket");
    registerObedient("websocket");
    assertTrue(control.closeAll(Duration.ZERO, deadline));
    assertEquals(Map.of("sse", 1L, "websocket", 2L), control.ended());
    assertEquals(1, connections.closed("sse", CloseCause.FAILURE));
    log.assertLogged("Could not close sse");
  }

  @Test
  void closeAll_interrupted_hurriesWaitsAndRestoresTheInterrupt() {
    Registration only = patient();
    Background<Boolean> closing =
        Background.run(
            () -> {
              Thread.currentThread().interrupt();
              return control.closeAll(Duration.ofSeconds(2), deadline)
                  && Thread.currentThread().isInterrupted();
            });
    assertEquals(LongLivedConnection.ANSWER, ticker.awaitParked(closing.thread()));
    assertEquals(1, told.get());
    only.closed();
    assertTrue(closing.result());
  }
}
