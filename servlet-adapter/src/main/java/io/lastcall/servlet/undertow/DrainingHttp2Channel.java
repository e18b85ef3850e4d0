package io.lastcall.servlet.undertow;

import io.lastcall.connection.Http2Leaving;
import io.undertow.connector.ByteBufferPool;
import io.undertow.connector.PooledByteBuffer;
import io.undertow.protocols.http2.AbstractHttp2StreamSourceChannel;
import io.undertow.protocols.http2.Http2Channel;
import io.undertow.protocols.http2.Http2PingStreamSourceChannel;
import io.undertow.server.protocol.framed.FrameHeaderData;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.xnio.OptionMap;
import org.xnio.StreamConnection;

/**
 * One HTTP/2 connection. Its end has three steps, each begun by an event and none by a clock:
 * GOAWAY(2^31-1) and a PING; the PING's answer, which says that the client has seen the GOAWAY and
 * that all it sent before has arrived; and, once no stream is active and the server settles, a FIN.
 *
 * <p>Undertow's own {@code sendGoAway} knows one step only: it closes the connection behind the
 * frame, whatever streams are active. So the first frame is ours, see {@link AnnouncingConduit},
 * and there is no second one: it is optional (RFC 9113, section 6.8), and says nothing new to a
 * client that has acknowledged the first. Called on the connection's I/O thread.
 */
final class DrainingHttp2Channel extends Http2Channel implements Http2Leaving.Connection {
  private final UndertowConnection connection;
  private final ConnectionLedger ledger;
  private final AnnouncingConduit sink;

  private final Http2Leaving leaving = new Http2Leaving(this);

  private volatile boolean acknowledged;

  private @Nullable GoawayFilter answers;
  private boolean withinFrame;

  private DrainingHttp2Channel(
      UndertowConnection connection,
      ConnectionLedger ledger,
      AnnouncingConduit sink,
      ByteBufferPool buffers,
      @Nullable PooledByteBuffer read,
      OptionMap options) {
    super(connection.channel(), null, buffers, read, false, false, options);
    this.connection = connection;
    this.ledger = ledger;
    this.sink = sink;
  }

  static DrainingHttp2Channel on(
      UndertowConnection connection,
      ConnectionLedger ledger,
      ByteBufferPool buffers,
      @Nullable PooledByteBuffer read,
      OptionMap options) {
    StreamConnection channel = connection.channel();
    AnnouncingConduit sink = new AnnouncingConduit(channel.getSinkChannel().getConduit());
    channel.getSinkChannel().setConduit(sink);
    DrainingHttp2Channel http2 =
        new DrainingHttp2Channel(connection, ledger, sink, buffers, read, options);
    connection.speaksHttp2(http2);
    return http2;
  }

  boolean isAcknowledged() {
    return acknowledged;
  }

  Http2Leaving leaving() {
    return leaving;
  }

  @Override
  public boolean isQuiet() {
    return connection.isQuiet();
  }

  @Override
  public boolean isLastCall() {
    return ledger.isSettling();
  }

  @Override
  public boolean sendGoAway() {
    sink.announceClose();
    flush();
    answers = new GoawayFilter(withinFrame, super::parseFrame);
    return true;
  }

  void announceClose() {
    leaving.announceClose();
    if (leaving.isSent()) {
      // What a full socket has not taken yet.
      flush();
    }
  }

  /**
   * Some clients, Node's for one, answer a GOAWAY with their own: that they open no more streams is
   * what they were asked for. Undertow would reset those that run, and close the connection.
   */
  @Override
  protected @Nullable FrameHeaderData parseFrame(ByteBuffer data) throws IOException {
    GoawayFilter filter = answers;
    if (filter != null) {
      return filter.parse(data);
    }
    withinFrame |= data.hasRemaining();
    FrameHeaderData header = super.parseFrame(data);
    withinFrame &= header == null;
    return header;
  }

  @Override
  protected AbstractHttp2StreamSourceChannel createChannel(
      FrameHeaderData header, PooledByteBuffer data) throws IOException {
    AbstractHttp2StreamSourceChannel received = super.createChannel(header, data);
    if (received instanceof Http2PingStreamSourceChannel ping
        && ping.isAck()
        && AnnouncingConduit.isAnswer(ping.getData())) {
      acknowledged = true;
      ledger.changed(connection);
    }
    return received;
  }
}
