package io.lastcall.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class Http2LeavingTest {
  private final FakeConnection connection = new FakeConnection();
  private final Http2Leaving leaving = new Http2Leaving(connection);

  @Test
  void ask_quiet_tellsOnce() {
    connection.quiet = true;
    leaving.ask();
    leaving.ask();
    leaving.look();
    assertEquals(1, connection.told);
    assertTrue(leaving.isTold());
    assertFalse(leaving.isWaiting());
  }

  @Test
  void nobodyAsked_neverTells() {
    connection.quiet = true;
    connection.lastCall = true;
    leaving.look();
    assertEquals(0, connection.told);
    assertFalse(leaving.isWaiting());
  }

  @Test
  void ask_streamsActive_tellsWhenThereIsNoneHoweverManyHaveEnded() {
    leaving.ask();
    for (int ended = 0; ended < 1_000; ended++) {
      leaving.look();
    }
    assertEquals(0, connection.told);
    assertTrue(leaving.isWaiting());
    connection.quiet = true;
    leaving.look();
    assertEquals(1, connection.told);
  }

  @Test
  void ask_again_tellsWhateverIsActive() {
    leaving.ask();
    leaving.ask();
    assertEquals(1, connection.told);
  }

  @Test
  void ask_lastCall_tellsWhateverIsActive() {
    connection.lastCall = true;
    leaving.ask();
    assertEquals(1, connection.told);
  }

  @Test
  void ask_notReady_tellsWhenItIs() {
    connection.quiet = true;
    connection.ready = false;
    leaving.ask();
    leaving.ask();
    assertEquals(0, connection.told);
    connection.ready = true;
    leaving.look();
    assertEquals(1, connection.told);
  }

  @Test
  void tell_fails_isTriedAgain() {
    connection.quiet = true;
    connection.works = false;
    leaving.ask();
    assertEquals(1, connection.told);
    assertTrue(leaving.isWaiting());
    connection.works = true;
    leaving.look();
    assertEquals(2, connection.told);
    assertTrue(leaving.isTold());
  }

  private static final class FakeConnection implements Http2Leaving.Connection {
    private boolean quiet;
    private boolean lastCall;
    private boolean ready = true;
    private boolean works = true;
    private int told;

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
    public boolean tell() {
      told++;
      return works;
    }
  }
}
