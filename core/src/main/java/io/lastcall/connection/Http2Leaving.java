package io.lastcall.connection;

/**
 * How a client is told to leave an HTTP/2 connection, the same by every adapter: GOAWAY(2^31-1),
 * which asks for no more streams and refuses none, and a PING, whose answer says that the client
 * has seen the GOAWAY and that all it sent before has arrived (RFC 9113, sections 6.8 and 6.7).
 *
 * <p>The RFC allows that GOAWAY at any time. But the JDK's client before 24 drops every stream that
 * is active when it comes (JDK-8335181). So it waits for a moment without an active stream,
 * long-lived ones aside; but no longer than until {@link HttpConnection#announce} is called again,
 * or {@link #STREAMS_WAITED_FOR} streams have ended, since some connections are never without one.
 */
public final class Http2Leaving {
  /** Streams that may end before a connection that is never idle is told all the same: 100. */
  public static final int STREAMS_WAITED_FOR = 100;

  /**
   * The eight bytes of the PING, {@code lastcall} in ASCII, by which its answer is told from that
   * to any other.
   */
  public static final long PING = 0x6c61737463616c6cL;

  private Http2Leaving() {}
}
