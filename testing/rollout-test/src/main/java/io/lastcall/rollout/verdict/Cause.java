package io.lastcall.rollout.verdict;

/**
 * One reason for which requests were lost.
 *
 * @param count how many; 0 where none was, but a pod did not leave as it should
 * @param sentence which, when, why, and what to do
 */
public record Cause(Kind kind, int count, String sentence) {

  /** The kinds, those first that explain others. */
  public enum Kind {
    /** The first process is a shell that passes no signal on. */
    SHELL,
    /** A JVM without its signal handlers. */
    XRS,
    /** The first process has no handler for SIGTERM. */
    NO_HANDLER,
    /** A shutdown hook calls System.exit and waits for itself. */
    EXIT_IN_HOOK,
    /** It began to shut down, and did not end within the grace period. */
    HANGS,
    /** It had SIGTERM, and nothing shows that it began to shut down. */
    IGNORES,
    /** It exited at once, while routers still sent. */
    EXITED,
    /** It closed its listener at once, while routers still sent, and lived on. */
    STOPPED_LISTENING,
    /** It served on, and for too short a time. */
    DELAY_TOO_SHORT,
    /** Kept connections of HTTP/1.1 ended without a word. */
    NOT_TOLD_TO_CLOSE,
    /** Connections of HTTP/2 ended without a GOAWAY. */
    NO_GOAWAY,
    /** A GOAWAY left out requests that were on their way. */
    GOAWAY_TOO_EARLY,
    /** Requests that nothing had answered as the process ended. */
    CUT_AT_EXIT,
    /** Answers that had begun as the process ended. */
    ANSWER_CUT_AT_EXIT,
    /** Requests or answers that were cut while the process lived on. */
    CUT_BEFORE_EXIT,
    /** 503 while routers still sent. */
    UNAVAILABLE,
    /** 500 and above: a resource had been closed. */
    SERVER_ERROR,
    /** Another status or another content than before. */
    OTHER_ANSWER,
    /** No answer in time. */
    NO_ANSWER,
    /** A WebSocket without a close frame. */
    WEB_SOCKET_DROPPED,
    /** An event stream without its end. */
    EVENT_STREAM_CUT,
    /** It failed at a pod that was not leaving. */
    NOT_LEAVING
  }

  /** Whether it says why a pod had to be killed. */
  public boolean isOfKill() {
    return kind.compareTo(Kind.IGNORES) <= 0;
  }
}
