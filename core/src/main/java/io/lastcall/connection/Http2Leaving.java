package io.lastcall.connection;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * When the client of an HTTP/2 connection is told to leave, the same by every adapter. It is told
 * by GOAWAY(2^31-1), which asks for no more streams and refuses none, and a PING, whose answer says
 * that the client has seen the GOAWAY and that all it sent before has arrived (RFC 9113, sections
 * 6.8 and 6.7).
 *
 * <p>The RFC allows that GOAWAY at any time. But the JDK's client before 24 drops every stream that
 * is active when it comes (JDK-8335181). So it waits for a moment without an active stream,
 * long-lived ones aside; but no longer than until it is asked for again or the last call has come,
 * since some connections are never without one.
 *
 * <p>Thread-safe. Such a moment is not missed: {@link #ask} says that it waits before it looks at
 * the streams, and whoever ends one or makes it long-lived does so before calling {@link #look}.
 */
public final class Http2Leaving {
  /**
   * The eight bytes of the PING, {@code lastcall} in ASCII, by which its answer is told from that
   * to any other.
   */
  public static final long PING = 0x6c61737463616c6cL;

  /** The connection, as its adapter sees it. */
  public interface Connection {
    /**
     * Returns whether frames may be sent yet. Whoever makes it so calls {@link Http2Leaving#look}
     * then.
     */
    default boolean isReady() {
      return true;
    }

    /** Returns whether no stream is active, long-lived ones aside. */
    boolean isQuiet();

    /** Returns whether every connection is to end as soon as it can. */
    boolean isLastCall();

    /**
     * Sends GOAWAY and PING, or has them sent; not called again once it returns true.
     *
     * @return false if it failed; the next event tries again
     */
    boolean tell();
  }

  private final Connection connection;
  private final AtomicBoolean told = new AtomicBoolean();

  private volatile boolean asked;
  private volatile boolean askedAgain;

  /** Creates it for one connection, which nobody has asked to leave yet. */
  public Http2Leaving(Connection connection) {
    this.connection = connection;
  }

  /** Tells the client now, or at the right moment. Maybe called by several threads at once. */
  public void ask() {
    if (asked) {
      askedAgain = true;
    }
    asked = true;
    look();
  }

  /** Tells the client if that was asked for and it is time: a stream has ended, say. */
  public void look() {
    if (isWaiting() && isTime() && told.compareAndSet(false, true) && !connection.tell()) {
      told.set(false);
    }
  }

  private boolean isTime() {
    return connection.isReady() && (askedAgain || connection.isLastCall() || connection.isQuiet());
  }

  /** Returns whether it was asked for and has not been done yet. */
  public boolean isWaiting() {
    return asked && !told.get();
  }

  /** Returns whether the client has been told, or is being told. */
  public boolean isTold() {
    return told.get();
  }
}
