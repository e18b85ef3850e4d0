package io.lastcall.rollout.verdict;

import io.lastcall.rollout.cluster.PodHistory;
import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Outcome;
import io.lastcall.rollout.verdict.Cause.Kind;
import java.util.List;
import java.util.OptionalLong;

/**
 * Finds the kind of cause for a failure at a pod that was leaving: by how it failed, on which kind
 * of connection, and how near to the end of the process.
 */
final class Sorter {
  /** This near to the end of the process it is the end that cut it: both are seen from outside. */
  private static final long NEAR = 300_000_000L;

  /** What fails faster on a kept connection was sent as the connection ended. */
  private static final long IN_FLIGHT = 100_000_000L;

  /** Closed sooner than this after SIGTERM is at once: nothing delayed it. */
  private static final long AT_ONCE = 1_000_000_000L;

  private final PodHistory.Termination end;
  private final Kind kill;
  private final OptionalLong firstRefusal;
  private final boolean saysClose;

  /**
   * @param kill why the pod had to be killed; only asked for one that was
   */
  Sorter(Recording run, PodHistory pod, PodHistory.Termination end, Kind kill) {
    this.end = end;
    this.kill = kill;
    firstRefusal =
        run.exchanges().stream()
            .filter(each -> each.pod() == pod.index() && isRefusal(each))
            .mapToLong(Exchange::ended)
            .filter(time -> time - end.sigterm() >= 0)
            .min();
    saysClose =
        run.sentAfterSigterm().stream().anyMatch(each -> each.pod() == pod.index() && each.close());
  }

  private static boolean isRefusal(Exchange exchange) {
    return exchange.outcome() == Outcome.REFUSED && !exchange.detail().startsWith("GOAWAY");
  }

  Kind kind(Exchange lost) {
    if (lost.ended() - end.sigterm() < 0) {
      return Kind.NOT_LEAVING;
    }
    if (end.killed() && lost.ended() - end.gone() >= -NEAR) {
      return kill;
    }
    if (lost.kind().startsWith("WebSocket")) {
      return Kind.WEB_SOCKET_DROPPED;
    }
    if (lost.kind().startsWith("event stream")) {
      return lost.outcome() == Outcome.REFUSED ? refused() : Kind.EVENT_STREAM_CUT;
    }
    return switch (lost.outcome()) {
      case REFUSED -> isRefusal(lost) ? refused() : Kind.GOAWAY_TOO_EARLY;
      case RESET, EOF -> closed(lost);
      case TRUNCATED -> cut(lost);
      case UNAVAILABLE -> Kind.UNAVAILABLE;
      case OTHER_STATUS -> lost.status() >= 500 ? Kind.SERVER_ERROR : Kind.OTHER_ANSWER;
      case TIMEOUT -> Kind.NO_ANSWER;
      default -> Kind.OTHER_ANSWER;
    };
  }

  private Kind refused() {
    long first = firstRefusal.orElse(end.gone());
    if (first - end.sigterm() > AT_ONCE) {
      return Kind.DELAY_TOO_SHORT;
    }
    return end.gone() - first > NEAR ? Kind.STOPPED_LISTENING : Kind.EXITED;
  }

  /** Without a byte of an answer. */
  private Kind closed(Exchange lost) {
    boolean http2 = lost.detail().contains("GOAWAY") || lost.detail().startsWith("RST_STREAM");
    if (lost.reused() && lost.detail().endsWith("without a GOAWAY")) {
      return Kind.NO_GOAWAY;
    }
    boolean meetsTheEnd =
        lost.ended() - lost.sent() <= IN_FLIGHT && lost.sent() - end.sigterm() >= 0;
    if (lost.reused() && !http2 && (meetsTheEnd || wasNeverTold(lost))) {
      return Kind.NOT_TOLD_TO_CLOSE;
    }
    return isAtExit(lost) ? Kind.CUT_AT_EXIT : Kind.CUT_BEFORE_EXIT;
  }

  /** In an answer. */
  private Kind cut(Exchange lost) {
    if (lost.reused() && !lost.detail().contains("GOAWAY") && wasNeverTold(lost)) {
      return Kind.NOT_TOLD_TO_CLOSE;
    }
    return isAtExit(lost) ? Kind.ANSWER_CUT_AT_EXIT : Kind.CUT_BEFORE_EXIT;
  }

  /** Sent long after SIGTERM on a connection whose client could have been told to leave it. */
  private boolean wasNeverTold(Exchange lost) {
    return !saysClose && lost.sent() - end.sigterm() > AT_ONCE;
  }

  private boolean isAtExit(Exchange lost) {
    return lost.ended() - end.gone() >= -NEAR;
  }

  /** Why a pod was killed. */
  static Kind kill(PodHistory.Termination end, boolean reacted) {
    PodHistory.Evidence evidence = end.evidence();
    if (!evidence.delivered()) {
      if (evidence.process().xrs()) {
        return Kind.XRS;
      }
      boolean shell = evidence.process().isShell() && !evidence.process().children().isEmpty();
      return shell ? Kind.SHELL : Kind.NO_HANDLER;
    }
    List<String> words = evidence.lastWords();
    if (ThreadDump.hasExitInHook(words)) {
      return Kind.EXIT_IN_HOOK;
    }
    return reacted || ThreadDump.isShuttingDown(words) ? Kind.HANGS : Kind.IGNORES;
  }
}
