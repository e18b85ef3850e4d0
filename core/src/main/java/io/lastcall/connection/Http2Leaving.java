package io.lastcall.connection;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * When an HTTP/2 connection sends its first GOAWAY, the same for every adapter. GOAWAY(2^31-1)
 * refuses no stream, and the answer to the PING after it shows that the client has seen it (RFC
 * 9113, sections 6.8 and 6.7).
 *
 * <p>JDK clients before 24 drop every active stream at a GOAWAY (JDK-8335181). So it waits for a
 * moment without an active stream, long-lived ones excluded; but only until it is asked for again,
 * or every connection is to end, since some connections never have such a moment.
 *
 * <p>Thread-safe. No such moment is missed: {@link #announceClose} notes the wish before it looks
 * at the streams, and an adapter ends a stream, or makes it long-lived, before it calls {@link
 * #check}.
 */
public final class Http2Leaving {
  /** The payload of the PING, {@code lastcall} in ASCII, which tells its answer from others. */
  public static final long PING = 0x6c61737463616c6cL;

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
     * Sends GOAWAY and PING, on any thread; not called again once it has returned true.
     *
     * @return false if it failed; the next event tries again
     */
    boolean sendGoAway();
  }

  private final Connection connection;
  private final AtomicBoolean sent = new AtomicBoolean();

  private volatile boolean asked;
  private volatile boolean askedAgain;

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

  /** Sends the GOAWAY if it was asked for and it is time: a stream has ended, for example. */
  public void check() {
    if (isWaiting() && isTime() && sent.compareAndSet(false, true) && !connection.sendGoAway()) {
      sent.set(false);
    }
  }

  private boolean isTime() {
    return connection.isReady() && (askedAgain || connection.isLastCall() || connection.isQuiet());
  }

  /** Returns whether it was asked for and is not sent yet. */
  public boolean isWaiting() {
    return asked && !sent.get();
  }

  /** Returns whether it is sent, or is being sent. */
  public boolean isSent() {
    return sent.get();
  }
}
