package io.lastcall.servlet.jetty;

import io.lastcall.connection.Http2Leaving;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.HTTP2Stream;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.PingFrame;
import org.eclipse.jetty.util.Callback;

/**
 * One HTTP/2 connection. Its end has three steps, each begun by an event and none by a clock:
 *
 * <ol>
 *   <li>GOAWAY(2^31-1) and a PING: for when, see {@link Http2Leaving}.
 *   <li>The PING's answer: the client has seen the GOAWAY, and all it sent before has arrived.
 *   <li>No stream is active: GOAWAY with the last one's number, and a FIN.
 * </ol>
 *
 * <p>Jetty's own {@code shutdown()} of a session sends the second GOAWAY as soon as no stream is
 * active, without asking whether one is on its way: on an idle connection together with the first
 * one. So both are written here. The last step is taken only once the listener is closed.
 */
final class DrainingSession implements Http2Leaving.Connection {
  private final HTTP2Session session;
  private final DrainingEndPoint endPoint;
  private final Http2Leaving leaving = new Http2Leaving(this);
  private final AtomicBoolean ended = new AtomicBoolean();

  private volatile boolean acknowledged;

  DrainingSession(HTTP2Session session, DrainingEndPoint endPoint) {
    this.session = session;
    this.endPoint = endPoint;
  }

  void announceClose() {
    leaving.announceClose();
  }

  @Override
  public boolean sendGoAway() {
    // Jetty writes a PING in front of all that waits to be written.
    session.frames(null, List.of(GoAwayFrame.GRACEFUL), Callback.from(this::ping, gone -> {}));
    return true;
  }

  private void ping() {
    session.ping(new PingFrame(Http2Leaving.PING, false), Callback.NOOP);
  }

  void pinged(PingFrame frame) {
    if (frame.isReply() && frame.getPayloadAsLong() == Http2Leaving.PING) {
      acknowledged = true;
      stepOn();
    }
  }

  /** A stream has ended or become long-lived, or the client has acknowledged. */
  void stepOn() {
    leaving.check();
    endIfIdle();
    endPoint.dropIfLongLived();
  }

  @Override
  public boolean isLastCall() {
    return endPoint.ledger().isSettling();
  }

  /**
   * Looks at each stream: Jetty marks a stream closed before its request is finished (long before,
   * after a reset), so comparing counts would be wrong.
   */
  @Override
  public boolean isQuiet() {
    return session.getStreams().stream().allMatch(this::isOverOrLongLived);
  }

  /** A count would miss the streams that no listener hears begin: of malformed requests. */
  private boolean isOver() {
    return session.getStreams().stream().allMatch(Stream::isClosed);
  }

  private boolean isOverOrLongLived(Stream stream) {
    return stream.isClosed() || endPoint.isLongLived(String.valueOf(stream.getId()));
  }

  /** Whether a stream waits for the client to open a window (RFC 9113, section 6.9.1). */
  boolean isAnswering() {
    return !isQuiet()
        && (session.getSendWindow() <= 0
            || session.getStreams().stream()
                .anyMatch(stream -> ((HTTP2Stream) stream).getSendWindow() <= 0));
  }

  /** Whether there are long-lived streams and nothing else, and no other can be on its way. */
  boolean isLongLived() {
    return acknowledged && !isOver() && isQuiet();
  }

  /** Takes the last step, if it is time. */
  void endIfIdle() {
    if (acknowledged && isLastCall() && isOver() && ended.compareAndSet(false, true)) {
      session.close(ErrorCode.NO_ERROR.code, null, Callback.from(endPoint::end, endPoint::close));
    }
  }
}
