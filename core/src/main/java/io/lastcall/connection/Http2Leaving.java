package io.lastcall.connection;

/**
 * How a client is told to leave an HTTP/2 connection, the same by every adapter: GOAWAY(2^31-1),
 * which asks for no more streams and refuses none, and a PING, whose answer says that the client
 * has seen the GOAWAY and that all it sent before has arrived (RFC 9113, sections 6.8 and 6.7).
 *
 * <p>By the RFC that GOAWAY could come at any time. But the JDK's client before 24 gives up every
 * stream that is active when one comes (JDK-8335181): so it waits for a moment without one, but for
 * long-lived ones, until {@link HttpConnection#announce} is called again or {@link
 * #STREAMS_WAITED_FOR} have ended. A connection that is never without a stream would never leave.
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
