package io.lastcall.rollout.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.cluster.ProcessFacts;
import io.lastcall.rollout.load.Outcome;
import io.lastcall.rollout.verdict.Cause.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class CausesTest {
  private static final String IN_HOOKS =
      """
      Full thread dump OpenJDK 64-Bit Server VM
      "SIGTERM handler" #20 daemon prio=9 waiting on condition
         java.lang.Thread.State: WAITING (on object monitor)
      \tat java.lang.Object.wait(java.base@17/Native Method)
      \tat java.lang.ApplicationShutdownHooks.runHooks(java.base@17/ApplicationShutdownHooks.java:107)
      \tat java.lang.Shutdown.runHooks(java.base@17/Shutdown.java:130)

      "shutdown" #15 prio=5 waiting for monitor entry
      """;
  private static final String[] EXIT_IN_HOOK =
      (IN_HOOKS
              + """
              \tat java.lang.Shutdown.exit(java.base@17/Shutdown.java:173)
              \t- waiting to lock <0x1> (a java.lang.Class for java.lang.Shutdown)
              \tat java.lang.System.exit(java.base@17/System.java:1860)
              \tat shop.Orders.stop(Orders.java:12)
              """)
          .lines()
          .toArray(String[]::new);
  private static final String[] HANGS =
      (IN_HOOKS
              + """
              \tat java.lang.Thread.sleep(java.base@17/Native Method)
              \tat shop.Pool.close(Pool.java:31)
              """)
          .lines()
          .toArray(String[]::new);

  private static void assertSays(Cause cause, Kind kind, int count, String words) {
    assertEquals(kind, cause.kind(), cause::sentence);
    assertEquals(count, cause.count(), cause::sentence);
    assertTrue(cause.sentence().contains(words), cause::sentence);
  }

  @Test
  void refused_processGoneAtOnce_isExited() {
    Recorded run =
        new Recorded()
            .gone(0.1)
            .failed(0.1, 0.1, false, Outcome.REFUSED, "")
            .failed(3.9, 3.9, false, Outcome.REFUSED, "");

    assertSays(
        run.cause(),
        Kind.EXITED,
        2,
        "2 refused (GET /), sent 0.10 to 3.90 s after SIGTERM, on new connections: it exited 100 ms"
            + " after SIGTERM, while routers still sent, for up to 4.0 s");
  }

  @Test
  void refused_processLives_isStoppedListening() {
    Recorded run = new Recorded().failed(0.1, 0.1, false, Outcome.REFUSED, "");

    assertSays(run.cause(), Kind.STOPPED_LISTENING, 1, "it stopped listening at SIGTERM");
  }

  @Test
  void refused_afterAWhile_isADelayTooShort() {
    Recorded run = new Recorded().gone(2.1).failed(2, 2, false, Outcome.REFUSED, "");

    assertSays(
        run.cause(), Kind.DELAY_TOO_SHORT, 1, "after 2.0 s, and the last router left after 4.0");
  }

  @Test
  void eofOnAKeptConnection_noAnswerSaidClose_isNotTold() {
    Recorded run = new Recorded().answered(1, false).failed(4.9, 4.95, true, Outcome.EOF, "closed");

    assertSays(
        run.cause(),
        Kind.NOT_TOLD_TO_CLOSE,
        1,
        "no answer after SIGTERM had said Connection: close");
  }

  @Test
  void eofOnAKeptConnection_longInFlightAndNeverTold_isNotTold() {
    Recorded run = new Recorded().failed(4, 5, true, Outcome.EOF, "closed");

    assertEquals(Kind.NOT_TOLD_TO_CLOSE, run.cause().kind());
  }

  @Test
  void eofOnAKeptConnection_othersWereTold_saysSo() {
    Recorded run = new Recorded().answered(1, true).failed(4.9, 4.95, true, Outcome.EOF, "closed");

    assertSays(run.cause(), Kind.NOT_TOLD_TO_CLOSE, 1, "though some had been told to close");
  }

  @Test
  void eofOnAKeptConnection_sentBeforeSigterm_couldNotBeTold() {
    Recorded run = new Recorded().gone(0.05).failed(-0.04, 0.05, true, Outcome.EOF, "closed");

    assertEquals(Kind.CUT_AT_EXIT, run.cause().kind());
  }

  @Test
  void inFlightAtTheEnd_isCutAtExit() {
    Recorded unanswered = new Recorded().failed(4, 5, false, Outcome.EOF, "closed");
    Recorded answering = new Recorded().failed(4, 5, false, Outcome.TRUNCATED, "closed");

    assertSays(unanswered.cause(), Kind.CUT_AT_EXIT, 1, "in flight as the process ended");
    assertSays(answering.cause(), Kind.ANSWER_CUT_AT_EXIT, 1, "Wait for streamed and");
  }

  @Test
  void cut_whileTheProcessLives_isBeforeExit() {
    Recorded run =
        new Recorded()
            .failed(1, 2, false, Outcome.TRUNCATED, "closed")
            .failed(1, 2, false, Outcome.RESET, "reset");

    assertSays(run.cause(), Kind.CUT_BEFORE_EXIT, 2, "while the process lived, until 5.0 s");
  }

  @Test
  void http2_withoutAGoAway_isThat() {
    Recorded run = new Recorded().failed(4, 5, true, Outcome.EOF, "closed without a GOAWAY");

    assertSays(run.cause(), Kind.NO_GOAWAY, 1, "RFC 9113, section 6.8");
  }

  @Test
  void http2_goAwayThatLeavesRequestsOut_isTooEarly() {
    Recorded run = new Recorded().failed(4, 4, true, Outcome.REFUSED, "GOAWAY 7 refuses 9");

    assertSays(run.cause(), Kind.GOAWAY_TOO_EARLY, 1, "a round trip later");
  }

  @Test
  void statuses_eachIsItsOwn() {
    Recorded run =
        new Recorded()
            .status(1, 503, Outcome.UNAVAILABLE)
            .status(1, 500, Outcome.OTHER_STATUS)
            .status(1, 500, Outcome.OTHER_STATUS)
            .status(1, 404, Outcome.OTHER_STATUS);

    assertEquals(
        List.of(Kind.SERVER_ERROR, Kind.UNAVAILABLE, Kind.OTHER_ANSWER),
        run.causes().stream().map(Cause::kind).toList(),
        "the largest first");
  }

  @Test
  void timeout_isNoAnswer() {
    Recorded run = new Recorded().failed(1, 4, false, Outcome.TIMEOUT, "timeout");

    assertEquals(Kind.NO_ANSWER, run.cause().kind());
  }

  @Test
  void held_eachIsItsOwn() {
    Recorded run =
        new Recorded()
            .failedHeld("WebSocket /ws", -5, 5, Outcome.EOF)
            .failedHeld("event stream /events", -5, 5, Outcome.TRUNCATED);

    assertEquals(
        List.of(Kind.WEB_SOCKET_DROPPED, Kind.EVENT_STREAM_CUT),
        run.causes().stream().map(Cause::kind).toList());
    assertTrue(run.causes().get(0).sentence().contains("ended 5.00 s after SIGTERM"));
  }

  @Test
  void failure_atAPodThatIsNotLeaving_isNotTheShutdowns() {
    Recorded run = new Recorded().failedElsewhere(1, Outcome.TIMEOUT);

    assertSays(run.cause(), Kind.NOT_LEAVING, 1, "ready before it could serve");
  }

  @Test
  void killed_shell_comesFirst_andOwnsWhatTheKillCut() {
    Recorded run =
        new Recorded()
            .killed(new ProcessFacts("sh", false, false, List.of("java"), false), false)
            .failed(1, 1, false, Outcome.REFUSED, "")
            .failed(1, 1, false, Outcome.REFUSED, "")
            .failed(4.9, 5, true, Outcome.EOF, "closed");

    List<Cause> causes = run.causes();
    assertSays(causes.get(0), Kind.SHELL, 1, "passes no signal on to java");
    assertEquals(Kind.STOPPED_LISTENING, causes.get(1).kind());
  }

  @Test
  void killed_nothingLost_isACauseAllTheSame() {
    ProcessFacts xrs = new ProcessFacts("java", false, false, List.of(), true);
    ProcessFacts python = new ProcessFacts("python3", false, false, List.of(), false);

    assertSays(new Recorded().killed(xrs, false).cause(), Kind.XRS, 0, "none lost: SIGKILL 5.0 s");
    assertSays(
        new Recorded().killed(python, false).cause(), Kind.NO_HANDLER, 0, "python3 has no handler");
  }

  @Test
  void killed_signalDelivered_isToldByTheThreadDump() {
    assertSays(
        new Recorded().killed(Recorded.JVM, true, EXIT_IN_HOOK).cause(),
        Kind.EXIT_IN_HOOK,
        0,
        "a shutdown hook calls System.exit");
    assertSays(
        new Recorded().killed(Recorded.JVM, true, HANGS).cause(),
        Kind.HANGS,
        0,
        "thread \"shutdown\" at shop.Pool.close(Pool.java:31)");
  }

  @Test
  void killed_noDump_isToldByWhatWasSeen() {
    assertEquals(Kind.HANGS, new Recorded().killed(Recorded.JVM, true).notReady(1).cause().kind());
    assertEquals(
        Kind.HANGS, new Recorded().killed(Recorded.JVM, true).answered(1, true).cause().kind());
    assertEquals(
        Kind.IGNORES, new Recorded().killed(Recorded.JVM, true).answered(1, false).cause().kind());
  }

  @Test
  void killed_clientsHeldItOpen_saysThatTheyWereNotTold() {
    Cause cause =
        new Recorded().killed(Recorded.JVM, true).refusing(0.1).answered(4.5, false).cause();

    assertSays(cause, Kind.HANGS, 0, "Clients used kept connections to the end");
  }

  @Test
  void nothingLost_hasNoCause() {
    assertEquals(List.of(), new Recorded().answered(1, true).causes());
  }
}
