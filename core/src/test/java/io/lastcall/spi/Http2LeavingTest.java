package io.lastcall.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

  private void announceAndFlush() {
    connection.quiet = true;
    leaving.announceClose();
    leaving.flushed();
  }

  @Test
  void acknowledged_lastCallAndIdle_endsOnce() {
    announceAndFlush();
    connection.lastCall = true;
    leaving.check();
    assertEquals(0, connection.ended, "the client may not have seen it yet");
    assertTrue(leaving.acknowledged(Http2Leaving.PING));
    leaving.check();
    assertEquals(1, connection.ended);
  }

  @Test
  void acknowledged_anotherPing_isNotTheClientsAnswer() {
    announceAndFlush();
    connection.lastCall = true;
    assertFalse(leaving.acknowledged(1));
    assertEquals(0, connection.ended);
  }

  @Test
  void acknowledged_beforeTheFlushIsKnown_counts() {
    connection.quiet = true;
    connection.lastCall = true;
    leaving.announceClose();
    assertTrue(leaving.acknowledged(Http2Leaving.PING));
    leaving.flushed();
    assertEquals(1, connection.ended);
  }

  @Test
  void acknowledged_lastStepFails_isTriedAgain() {
    announceAndFlush();
    connection.lastCall = true;
    connection.works = false;
    leaving.acknowledged(Http2Leaving.PING);
    connection.works = true;
    leaving.check();
    assertEquals(2, connection.ended);
  }

  @Test
  void flushed_noAnswerInTime_endsAllTheSame() {
    connection.quiet = true;
    connection.lastCall = true;
    leaving.announceClose();
    assertEquals(1, connection.timers.size());
    leaving.flushed();
    assertEquals(2, connection.timers.size(), "the answer's time begins with the flush");
    connection.timers.get(0).run();
    assertEquals(0, connection.ended, "the flush was in time");
    connection.timers.get(1).run();
    assertEquals(1, connection.ended);
    assertEquals(0, connection.excluded);
  }

  @Test
  void flush_doesNotComeInTime_connectionIsExcluded() {
    connection.quiet = true;
    leaving.announceClose();
    assertFalse(leaving.isExcluded());
    connection.timers.get(0).run();
    assertTrue(leaving.isExcluded());
    assertEquals(1, connection.excluded);
  }

  @Test
  void acknowledged_longLivedStreamsAlone_connectionIsExcluded() {
    connection.idle = false;
    announceAndFlush();
    assertFalse(leaving.isExcluded());
    leaving.acknowledged(Http2Leaving.PING);
    assertTrue(leaving.isExcluded());
    connection.quiet = false;
    assertFalse(leaving.isExcluded(), "another stream is to be answered");
  }

  private static final class FakeConnection implements Http2Leaving.Connection {
    private boolean quiet;
    private boolean lastCall;
    private boolean ready = true;
    private boolean works = true;
    private boolean idle = true;
    private int sent;
    private int ended;
    private int excluded;
    private final List<Runnable> timers = new ArrayList<>();

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

    @Override
    public boolean isIdle() {
      return quiet && idle;
    }

    @Override
    public boolean sendLastGoAway() {
      ended++;
      return works;
    }

    @Override
    public void schedule(Duration delay, Runnable task) {
      assertEquals(Http2Leaving.PATIENCE, delay);
      timers.add(task);
    }

    @Override
    public void excluded() {
      excluded++;
    }
  }
}
