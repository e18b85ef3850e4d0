package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.tomcat.LastcallHttp2Protocol.ExchangeCounter;
import io.lastcall.spi.Http2Leaving;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.http2.Http2AsyncUpgradeHandler;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.util.net.SocketWrapperBase.BlockingMode;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection, which leaves as {@link Http2Leaving} says. Its last step is the first
 * GOAWAY once more, whose write waits for the one before it, and a FIN; the client's own FIN ends
 * the connection. A GOAWAY with the last stream's number is optional (RFC 9113, section 6.8), says
 * nothing new to a client that has acknowledged the first one, and comes from Tomcat only together
 * with a close of the socket: which resets the connection if the client's last window updates are
 * on their way, and with it what the client has not read yet.
 *
 * <p>Frames are written on Tomcat's threads: a write may wait for the one before it.
 */
final class DrainingHttp2Handler extends Http2AsyncUpgradeHandler
    implements Http2Leaving.Connection {
  /** The number that names no stream as the last one. */
  private static final int ANY_STREAM = Integer.MAX_VALUE;

  /** RFC 9113, section 7. */
  private static final long NO_ERROR = 0;

  private final TomcatConnection connection;
  private final SocketWrapperBase<NioChannel> wrapper;
  private final ExchangeCounter exchanges;
  final Http2Leaving leaving = new Http2Leaving(this);

  /** Our SETTINGS are written: nothing may come before them. */
  private volatile boolean begun;

  DrainingHttp2Handler(
      LastcallHttp2Protocol protocol,
      Adapter adapter,
      @Nullable Request request,
      TomcatConnection connection,
      ExchangeCounter exchanges) {
    super(
        protocol,
        new RequestAdapter(adapter, exchanges::begin, (any, on) -> {}),
        request,
        connection.wrapper());
    this.connection = connection;
    this.wrapper = connection.wrapper();
    this.exchanges = exchanges;
    exchanges.listen(leaving::check);
    connection.speaksHttp2(this);
  }

  /** Tomcat calls it again for whatever arrives. */
  @Override
  public void init(@Nullable WebConnection upgraded) {
    super.init(upgraded);
    begun = true;
    leaving.check();
  }

  @Override
  public boolean isReady() {
    return begun;
  }

  @Override
  public boolean sendGoAway() {
    return take(this::writeAnnouncement);
  }

  @Override
  public boolean sendLastGoAway() {
    return take(this::writeEnd);
  }

  /**
   * Returns false if the pool is full; the next event, or the next call of a drain, tries again.
   */
  private boolean take(Runnable step) {
    try {
      wrapper.execute(step);
      return true;
    } catch (RejectedExecutionException full) {
      return false;
    }
  }

  private void writeAnnouncement() {
    try {
      // Not Tomcat's pause(): a round trip later, by the clock, it drops new streams unanswered.
      writeGoAwayFrame(ANY_STREAM, NO_ERROR, null);
      writePing();
    } catch (IOException gone) {
      // The next read will tell Tomcat.
    }
  }

  private void writePing() {
    wrapper.write(
        BlockingMode.SEMI_BLOCK,
        protocol.getWriteTimeout(),
        TimeUnit.MILLISECONDS,
        null,
        SocketWrapperBase.COMPLETE_WRITE,
        new Flushed(leaving),
        ByteBuffer.wrap(PING),
        ByteBuffer.allocate(Long.BYTES).putLong(0, Http2Leaving.PING));
  }

  /** A write that fails needs no word from us: the next read will tell Tomcat. */
  private record Flushed(Http2Leaving leaving) implements CompletionHandler<Long, Void> {
    @Override
    public void completed(Long written, Void nothing) {
      leaving.flushed();
    }

    @Override
    public void failed(Throwable gone, Void nothing) {}
  }

  private void writeEnd() {
    try {
      // In front of the FIN, since writing it waits for the end of the write before it.
      writeGoAwayFrame(ANY_STREAM, NO_ERROR, null);
      connection.halfClose();
    } catch (IOException gone) {
      wrapper.close();
    }
  }

  @Override
  public void schedule(Duration delay, Runnable task) {
    connection.endpoint().schedule(delay, task);
  }

  @Override
  public void excluded() {
    connection.endpoint().awaited().remove(connection);
  }

  /**
   * Tomcat resets a stream whose request is not whole when its response has left. One that has not
   * begun an exchange is half-sent: stream 1 of an upgrade whose client never sends its preface,
   * say.
   */
  boolean isAnswering() {
    return exchanges.open() > exchanges.longLived() && !leaving.isExcluded();
  }

  @Override
  public boolean isLastCall() {
    return connection.endpoint().awaited().isSettling();
  }

  /** At most for an instant too early. */
  @Override
  public boolean isQuiet() {
    return isNoMoreThan(exchanges.longLived());
  }

  @Override
  public boolean isIdle() {
    return isNoMoreThan(0);
  }

  /** In this order: a stream is active until its exchange has begun, and may end within it. */
  private boolean isNoMoreThan(int streams) {
    return activeRemoteStreamCount.get() <= streams && exchanges.open() <= streams;
  }

  @Override
  public void pingReceive(byte[] payload, boolean ack) throws IOException {
    if (!ack || !leaving.acknowledged(ByteBuffer.wrap(payload).getLong())) {
      super.pingReceive(payload, ack);
    }
  }

  /**
   * Some clients, Node's for one, answer a GOAWAY with their own: that they open no more streams is
   * what they were asked for. Tomcat would close the connection under those that run.
   */
  @Override
  public void goaway(int lastStream, long errorCode, String debugData) {
    if (!leaving.isSent() || errorCode != NO_ERROR) {
      super.goaway(lastStream, errorCode, debugData);
    }
  }

  /** Tomcat calls this whenever a stream has ended, and more often. */
  @Override
  protected void setConnectionTimeoutForStreamCount(int streams) {
    super.setConnectionTimeoutForStreamCount(streams);
    leaving.check();
  }
}
