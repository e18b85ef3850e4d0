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
import java.util.concurrent.atomic.AtomicInteger;
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
 *   <li>{@link #announce}: GOAWAY(2^31-1), which asks for no more streams and refuses none, and a
 *       PING.
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
final class DrainingHttp2Handler extends Http2AsyncUpgradeHandler {
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
  private final AtomicBoolean announced = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();

  /** Exchanges that have ended since the GOAWAY was asked for. */
  private final AtomicInteger waited = new AtomicInteger();

  /** Our SETTINGS are written: nothing may come before them. */
  private volatile boolean begun;

  /** Both written by the thread that asks, and no other. */
  private volatile boolean wanted;

  private volatile boolean wantedAgain;
  private volatile boolean acknowledged;

  DrainingHttp2Handler(
      LastcallHttp2Protocol protocol,
      Adapter adapter,
      @Nullable Request request,
      SocketWrapperBase<?> wrapper,
      ConnectionLedger ledger) {
    this(protocol, new ExchangeCounter(adapter), request, wrapper, ledger);
    exchanges.listen(this::exchangeEnded, this::stepOnIfQuiet);
    ledger.speaksHttp2(this.wrapper, this);
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
    announceIfTime();
  }

  /**
   * Asks for the first step: now if no stream is active, but for long-lived ones, or it was asked
   * for before; else when that is so, see {@link Http2Leaving}.
   */
  void announce() {
    wantedAgain |= wanted;
    wanted = true;
    announceIfTime();
  }

  private void announceIfTime() {
    if (wanted && (wantedAgain || isQuiet() || ledger.isSettling())) {
      announceNow();
    }
  }

  private void announceNow() {
    if (begun) {
      takeOnce(announced, this::writeAnnouncement);
    }
  }

  /**
   * A pool that is full takes no step; the next event, or the next word of a drain, tries again.
   */
  private void takeOnce(AtomicBoolean taken, Runnable step) {
    if (taken.compareAndSet(false, true)) {
      try {
        wrapper.execute(step);
      } catch (RejectedExecutionException full) {
        taken.set(false);
      }
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
    if (acknowledged && ledger.isSettling() && isIdle()) {
      takeOnce(ended, this::writeEnd);
    }
  }

  /** Tomcat resets a stream whose request is not whole when its response has left. */
  boolean isAnswering() {
    return !isQuiet();
  }

  private boolean isIdle() {
    return isNoMoreThan(0);
  }

  /**
   * Whether nothing runs but what lasts until somebody ends it; at most for an instant too early.
   */
  private boolean isQuiet() {
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

  @Override
  public void pingReceive(byte[] payload, boolean ack) throws IOException {
    if (ack && announced.get() && Arrays.equals(payload, OURS)) {
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
    if (!announced.get() || errorCode != NO_ERROR) {
      super.goaway(lastStream, errorCode, debugData);
    }
  }

  /** Tomcat calls this whenever a stream has ended, and more often. */
  @Override
  protected void setConnectionTimeoutForStreamCount(int streams) {
    super.setConnectionTimeoutForStreamCount(streams);
    stepOnIfQuiet();
  }

  private void exchangeEnded() {
    if (wanted && waited.incrementAndGet() > Http2Leaving.STREAMS_WAITED_FOR) {
      announceNow();
    }
    stepOnIfQuiet();
  }

  private void acknowledged() {
    acknowledged = true;
    stepOnIfQuiet();
  }

  private void stepOnIfQuiet() {
    if (wanted && isQuiet()) {
      announceNow();
      endIfIdle();
      if (isLongLived()) {
        ledger.drop(wrapper);
      }
    }
  }
}
