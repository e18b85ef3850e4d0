package io.lastcall.spi;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/**
 * How an HTTP/2 connection leaves, the same for every adapter (RFC 9113, sections 6.8 and 6.7):
 *
 * <ol>
 *   <li>GOAWAY(2^31-1), which refuses no stream, and a PING.
 *   <li>The PING's answer: the client has seen the GOAWAY, and all it sent before has arrived. It
 *       has {@link #PATIENCE}, from the moment at which the PING was {@linkplain #flushed flushed}.
 *   <li>The last GOAWAY and a FIN, once no stream is active and every connection is to end.
 * </ol>
 *
 * <p>JDK clients before 24 drop every active stream at a GOAWAY (JDK-8335181). So the first one
 * waits for a moment without an active stream, long-lived ones excluded; but only until it is asked
 * for again, or every connection is to end, since some connections never have such a moment.
 *
 * <p>A client that reads nothing keeps the first GOAWAY from being flushed. After {@link #PATIENCE}
 * the connection is {@linkplain #isExcluded excluded}: DRAIN waits for its requests, and not for
 * its end.
 *
 * <p>Thread-safe. No moment is missed: {@link #announceClose} notes the wish before it looks at the
 * streams, and an adapter ends a stream, or makes it long-lived, before it calls {@link #check}.
 */
public final class Http2Leaving {
  /** The payload of the PING, {@code lastcall} in ASCII, which tells its answer from others. */
  public static final long PING = 0x6c61737463616c6cL;

  /** How long a flush, and then the client's answer, may take: 5 s, half of what gRPC allows. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The connection, as its adapter sees it. */
  public interface Connection {
    /**
     * Returns whether frames may be sent; once they may, the adapter calls {@link
     * Http2Leaving#check}.
     */
    default boolean isReady() {
      return true;
    }

    /** Returns whether no stream is active, long-lived ones excluded. */
    boolean isQuiet();

    /** Returns whether every connection is to end as soon as it can. */
    boolean isLastCall();

    /**
     * Sends GOAWAY and PING, on any thread; not called again once it has returned true. When they
     * have left, the adapter calls {@link Http2Leaving#flushed}.
     *
     * @return false if it failed; the next event tries again
     */
    boolean sendGoAway();

    /** Returns whether no stream is active, long-lived ones included. */
    boolean isIdle();

    /**
     * Sends the last GOAWAY and a FIN, on any thread; not called again once it has returned true.
     *
     * @return false if it failed; the next event tries again
     */
    boolean sendLastGoAway();

    /** Runs {@code task} after {@code delay}, on any thread. */
    void schedule(Duration delay, Runnable task);

    /** Called when the connection has become {@linkplain Http2Leaving#isExcluded excluded}. */
    void excluded();
  }

  private enum State {
    SERVING,
    ANNOUNCED,
    FLUSHED,
    ACKNOWLEDGED,
    ENDED
  }

  private final Connection connection;
  private final AtomicReference<State> state = new AtomicReference<>(State.SERVING);

  private volatile boolean asked;
  private volatile boolean askedAgain;

  /** The first GOAWAY was not flushed in time. */
  private volatile boolean stuck;

  /** Creates it for one connection. */
  public Http2Leaving(Connection connection) {
    this.connection = connection;
  }

  /** Sends the GOAWAY now, or at the right moment. Any thread may call it. */
  public void announceClose() {
    if (asked) {
      askedAgain = true;
    }
    asked = true;
    check();
  }

  /** Takes the steps whose time has come. To be called whenever a stream has ended, for example. */
  public void check() {
    if (isWaiting() && isTime() && state.compareAndSet(State.SERVING, State.ANNOUNCED)) {
      if (connection.sendGoAway()) {
        connection.schedule(PATIENCE, this::flushTimedOut);
      } else {
        state.compareAndSet(State.ANNOUNCED, State.SERVING);
      }
    }
    if (isAcknowledged()
        && connection.isLastCall()
        && connection.isIdle()
        && state.compareAndSet(State.ACKNOWLEDGED, State.ENDED)
        && !connection.sendLastGoAway()) {
      state.set(State.ACKNOWLEDGED);
    }
    if (isExcluded()) {
      connection.excluded();
    }
  }

  private boolean isTime() {
    return connection.isReady() && (askedAgain || connection.isLastCall() || connection.isQuiet());
  }

  /** Says that the first GOAWAY and the PING have left. Only the first call counts. */
  public void flushed() {
    if (state.compareAndSet(State.ANNOUNCED, State.FLUSHED)) {
      connection.schedule(PATIENCE, this::acknowledge);
    }
  }

  /**
   * Says that a PING was answered.
   *
   * @return whether it was the one of {@link Connection#sendGoAway}
   */
  public boolean acknowledged(long payload) {
    if (payload != PING || !isSent()) {
      return false;
    }
    acknowledge();
    return true;
  }

  private void acknowledge() {
    // An answer may be faster than the word that its question has left.
    if (state.compareAndSet(State.FLUSHED, State.ACKNOWLEDGED)
        || state.compareAndSet(State.ANNOUNCED, State.ACKNOWLEDGED)) {
      check();
    }
  }

  private void flushTimedOut() {
    if (state.get() == State.ANNOUNCED) {
      stuck = true;
      check();
    }
  }

  /** Returns whether it was asked for and is not sent yet. */
  public boolean isWaiting() {
    return asked && !isSent();
  }

  /** Returns whether the first GOAWAY is sent, or is being sent. */
  public boolean isSent() {
    return state.get() != State.SERVING;
  }

  private boolean isAcknowledged() {
    return state.get() == State.ACKNOWLEDGED;
  }

  /**
   * Returns whether DRAIN need not wait for the connection's end: nothing but long-lived streams is
   * left and the client opens no more, or the client reads nothing.
   */
  public boolean isExcluded() {
    return stuck || (isAcknowledged() && connection.isQuiet() && !connection.isIdle());
  }
}
