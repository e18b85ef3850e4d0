package io.lastcall.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class Http2LeavingTest {
  private final FakeConnection connection = new FakeConnection();
  private final Http2Leaving leaving = new Http2Leaving(connection);

  @Test
  void announceClose_quiet_sendsOnce() {
    connection.quiet = true;
    leaving.announceClose();
    leaving.announceClose();
    leaving.check();
    assertEquals(1, connection.sent);
    assertTrue(leaving.isSent());
    assertFalse(leaving.isWaiting());
  }

  @Test
  void check_notAsked_sendsNothing() {
    connection.quiet = true;
    connection.lastCall = true;
    leaving.check();
    assertEquals(0, connection.sent);
    assertFalse(leaving.isWaiting());
  }

  @Test
  void announceClose_streamsActive_sendsWhenThereIsNoneHoweverManyHaveEnded() {
    leaving.announceClose();
    for (int ended = 0; ended < 1_000; ended++) {
      leaving.check();
    }
    assertEquals(0, connection.sent);
    assertTrue(leaving.isWaiting());
    connection.quiet = true;
    leaving.check();
    assertEquals(1, connection.sent);
  }

  @Test
  void announceClose_again_sendsWhateverIsActive() {
    leaving.announceClose();
    leaving.announceClose();
    assertEquals(1, connection.sent);
  }

  @Test
  void announceClose_lastCall_sendsWhateverIsActive() {
    connection.lastCall = true;
    leaving.announceClose();
    assertEquals(1, connection.sent);
  }

  @Test
  void announceClose_notReady_sendsWhenItIs() {
    connection.quiet = true;
    connection.ready = false;
    leaving.announceClose();
    leaving.announceClose();
    assertEquals(0, connection.sent);
    connection.ready = true;
    leaving.check();
    assertEquals(1, connection.sent);
  }

  @Test
  void sendGoAway_fails_isTriedAgain() {
    connection.quiet = true;
    connection.works = false;
    leaving.announceClose();
    assertEquals(1, connection.sent);
    assertTrue(leaving.isWaiting());
    connection.works = true;
    leaving.check();
    assertEquals(2, connection.sent);
    assertTrue(leaving.isSent());
  }

  private static final class FakeConnection implements Http2Leaving.Connection {
    private boolean quiet;
    private boolean lastCall;
    private boolean ready = true;
    private boolean works = true;
    private int sent;

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public boolean isQuiet() {
      return quiet;
    }

    @Override
    public boolean isLastCall() {
      return lastCall;
    }

    @Override
    public boolean sendGoAway() {
      sent++;
      return works;
    }
  }
}
