package io.lastcall.servlet.jetty;

import io.lastcall.spi.Http2Leaving;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.HTTP2Session;
import org.eclipse.jetty.http2.HTTP2Stream;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.PingFrame;
import org.eclipse.jetty.util.Callback;

/**
 * One HTTP/2 connection, which leaves as {@link Http2Leaving} says. Jetty's own {@code shutdown()}
 * of a session sends the second GOAWAY as soon as no stream is active, without asking whether one
 * is on its way: on an idle connection together with the first one. So both are written here.
 */
final class DrainingSession implements Http2Leaving.Connection {
  private final HTTP2Session session;
  private final DrainingEndPoint endPoint;
  final Http2Leaving leaving = new Http2Leaving(this);

  DrainingSession(HTTP2Session session, DrainingEndPoint endPoint) {
    this.session = session;
    this.endPoint = endPoint;
  }

  @Override
  public boolean sendGoAway() {
    // After the flush: Jetty writes a PING before everything that waits to be written.
    session.frames(null, List.of(GoAwayFrame.GRACEFUL), Callback.from(this::ping, gone -> {}));
    return true;
  }

  private void ping() {
    session.ping(
        new PingFrame(Http2Leaving.PING, false), Callback.from(leaving::flushed, gone -> {}));
  }

  void pinged(PingFrame frame) {
    if (frame.isReply()) {
      leaving.acknowledged(frame.getPayloadAsLong());
    }
  }

  @Override
  public void schedule(Duration delay, Runnable task) {
    endPoint.getScheduler().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void excluded() {
    endPoint.exclude();
  }

  @Override
  public boolean isLastCall() {
    return endPoint.isSettling();
  }

  /**
   * Looks at each stream: Jetty marks a stream closed before its request is finished (long before,
   * after a reset), so comparing counts would be wrong.
   */
  @Override
  public boolean isQuiet() {
    return session.getStreams().stream().allMatch(this::isClosedOrLongLived);
  }

  /** A count would miss the streams that no listener hears begin: of malformed requests. */
  @Override
  public boolean isIdle() {
    return session.getStreams().stream().allMatch(Stream::isClosed);
  }

  private boolean isClosedOrLongLived(Stream stream) {
    return stream.isClosed() || endPoint.isLongLived(String.valueOf(stream.getId()));
  }

  /**
   * Returns whether the end of a response is still to come: its handler is at work, the filter's or
   * not, or the client has still to open a window (RFC 9113, section 6.9.1).
   */
  boolean isAnswering() {
    return session.getStreams().stream()
        .anyMatch(
            stream -> !isClosedOrLongLived(stream) && !((HTTP2Stream) stream).isLocallyClosed());
  }

  @Override
  public boolean sendLastGoAway() {
    session.close(ErrorCode.NO_ERROR.code, null, Callback.from(endPoint::end, endPoint::close));
    return true;
  }
}
