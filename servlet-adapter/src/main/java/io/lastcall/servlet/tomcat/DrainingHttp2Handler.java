package io.lastcall.servlet.tomcat;

import io.lastcall.connection.Http2Leaving;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.CompletionHandler;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.http2.Http2AsyncUpgradeHandler;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.apache.tomcat.util.net.SocketWrapperBase.BlockingMode;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/2 connection. Its end has three steps, each begun by an event:
 *
 * <ol>
 *   <li>GOAWAY(2^31-1) and a PING: for when, see {@link Http2Leaving}.
 *   <li>The PING's answer: the client has seen the GOAWAY, and all it sent before has arrived.
 *   <li>No stream is active, and Tomcat has written all that it had to say on any: the same GOAWAY
 *       once more, whose write waits for the one before it, and a FIN. The client's own FIN ends
 *       the connection.
 * </ol>
 *
 * <p>A GOAWAY with the last stream's number is optional (RFC 9113, section 6.8), says nothing new
 * to a client that has acknowledged the first one, and comes from Tomcat only together with a close
 * of the socket: which resets the connection if the client's last window updates are on their way,
 * and with it what the client has not read yet.
 *
 * <p>The last step is taken only once the server settles, that is, when the listener is closed.
 * Frames are written on Tomcat's threads: a write may wait for the one before it.
 */
final class DrainingHttp2Handler extends Http2AsyncUpgradeHandler
    implements Http2Leaving.Connection {
  /** The number that names no stream as the last one. */
  private static final int ANY_STREAM = Integer.MAX_VALUE;

  /** RFC 9113, section 7. */
  private static final long NO_ERROR = 0;

  /** What our PING carries; Tomcat sends others of its own. */
  private static final byte[] OURS =
      ByteBuffer.allocate(Long.BYTES).putLong(Http2Leaving.PING).array();

  /** A write that fails needs no word from us: the next read will tell Tomcat. */
  private static final CompletionHandler<Long, Void> UNTOLD =
      new CompletionHandler<>() {
        @Override
        public void completed(Long written, Void nothing) {}

        @Override
        public void failed(Throwable gone, Void nothing) {}
      };

  private final ConnectionLedger ledger;
  private final SocketWrapperBase<NioChannel> wrapper;
  private final ExchangeCounter exchanges;
  private final Http2Leaving leaving = new Http2Leaving(this);
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Our SETTINGS are written: nothing may come before them. */
  private volatile boolean begun;

  private volatile boolean acknowledged;

  DrainingHttp2Handler(
      LastcallHttp2Protocol protocol,
      Adapter adapter,
      @Nullable Request request,
      SocketWrapperBase<?> wrapper,
      ConnectionLedger ledger) {
    this(protocol, new ExchangeCounter(adapter), request, wrapper, ledger);
    exchanges.listen(this::stepOn);
    exchanges.accepted(ledger.speaksHttp2(this.wrapper, this));
  }

  @SuppressWarnings("unchecked") // DrainingEndpoint is the only one, and made for NioChannel
  private DrainingHttp2Handler(
      LastcallHttp2Protocol protocol,
      ExchangeCounter exchanges,
      @Nullable Request request,
      SocketWrapperBase<?> wrapper,
      ConnectionLedger ledger) {
    super(protocol, exchanges, request, wrapper);
    this.exchanges = exchanges;
    this.ledger = ledger;
    this.wrapper = (SocketWrapperBase<NioChannel>) wrapper;
  }

  /** Tomcat calls it again for whatever arrives. */
  @Override
  public void init(@Nullable WebConnection connection) {
    super.init(connection);
    begun = true;
    leaving.check();
  }

  void announceClose() {
    leaving.announceClose();
  }

  @Override
  public boolean isReady() {
    return begun;
  }

  @Override
  public boolean sendGoAway() {
    return take(this::writeAnnouncement);
  }

  /**
   * Returns false if the pool is full; the next event, or the next word of a drain, tries again.
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
      if (protocol.getInitiatePingDisabled()) {
        acknowledged();
      } else {
        writePing();
      }
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
        UNTOLD,
        ByteBuffer.wrap(PING),
        ByteBuffer.wrap(OURS));
  }

  /** Takes the last step, if it is time. */
  void endIfIdle() {
    if (acknowledged
        && isLastCall()
        && isIdle()
        && ended.compareAndSet(false, true)
        && !take(this::writeEnd)) {
      ended.set(false);
    }
  }

  /**
   * Tomcat resets a stream whose request is not whole when its response has left. One that has not
   * begun an exchange is half-sent: stream 1 of an upgrade whose client never sends its preface,
   * say.
   */
  boolean isAnswering() {
    return exchanges.open() > exchanges.longLived();
  }

  @Override
  public boolean isLastCall() {
    return ledger.isSettling();
  }

  private boolean isIdle() {
    return isNoMoreThan(0);
  }

  /** At most for an instant too early. */
  @Override
  public boolean isQuiet() {
    return isNoMoreThan(exchanges.longLived());
  }

  /** In this order: a stream is active until its exchange has begun, and may end within it. */
  private boolean isNoMoreThan(int streams) {
    return activeRemoteStreamCount.get() <= streams && exchanges.open() <= streams;
  }

  /** Whether there are long-lived streams and nothing else, and no other can be on its way. */
  boolean isLongLived() {
    return acknowledged && !isIdle() && isQuiet();
  }

  private void writeEnd() {
    try {
      // In front of the FIN, since writing it waits for the end of the write before it.
      writeGoAwayFrame(ANY_STREAM, NO_ERROR, null);
      TomcatConnection.shutDownOutput(wrapper);
    } catch (IOException gone) {
      wrapper.close();
    }
    ledger.halfClosed(wrapper);
  }

  /**
   * What Tomcat's first PING meets where the client has gone is thrown past Tomcat's own handling:
   * a worker ends, and nobody ever closes the connection. The read behind it meets the same.
   */
  @Override
  protected PingManager getPingManager() {
    return new AsyncPingManager() {
      @Override
      public void sendPing(boolean isFirst) throws IOException {
        try {
          super.sendPing(isFirst);
        } catch (IOException gone) {
          if (!isFirst) {
            throw gone;
          }
        }
      }
    };
  }

  @Override
  public void pingReceive(byte[] payload, boolean ack) throws IOException {
    if (ack && leaving.isSent() && Arrays.equals(payload, OURS)) {
      acknowledged();
    } else {
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
    stepOn();
  }

  private void acknowledged() {
    acknowledged = true;
    stepOn();
  }

  private void stepOn() {
    leaving.check();
    endIfIdle();
    if (isLongLived()) {
      ledger.drop(wrapper);
    }
  }
}
