package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.testing.FixedProbes;
import io.lastcall.time.Ticker;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that do not answer their close frame, or take nothing in. */
@Timeout(120)
final class SilentClientTest {
  private final ConnectionControl connections = new ConnectionControl();
  private final NettyDrain drain =
      new NettyDrain(
          new GateControl(Ticker.system()).gate(),
          FixedProbes.of(() -> true, () -> true),
          connections.connections());
  private final Network channel = new Network();

  @BeforeEach
  void request() {
    channel.pipeline().addLast(new HttpServerCodec(), drain.httpHandler());
    channel.writeInbound(Unpooled.copiedBuffer("GET / HTTP/1.1\r\n\r\n", US_ASCII));
  }

  private void openWebSocket() {
    FullHttpResponse upgrade =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS);
    upgrade.headers().set("Upgrade", "websocket");
    channel.writeOutbound(upgrade);
    channel.pipeline().remove(HttpServerCodec.class);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  /** With an application that waits for the answer, too, before it lets go, as Vert.x does. */
  @Test
  void webSocket_endUnanswered_isWaitedForNoLongerThanAnAnswerTakes() {
    openWebSocket();
    channel
        .pipeline()
        .addLast(
            new ChannelOutboundHandlerAdapter() {
              @Override
              public void close(ChannelHandlerContext ctx, ChannelPromise promise) {}
            });
    channel.take(1);
    ClosingPhase closing = tell();
    assertTrue(channel.isOpen());

    assertGivenUp(closing);
  }

  /** As a phone without a network, behind messages enough. */
  @Test
  void webSocket_takesNothingIn_isWaitedForNoLongerThanAnAnswerTakes() {
    openWebSocket();
    channel.write(new TextWebSocketFrame("one"));

    assertGivenUp(tell());
  }

  @Test
  void eventStream_takesNothingIn_isWaitedForNoLongerThanAnAnswerTakes() {
    channel.writeOutbound(Harness.head("text/event-stream"));

    assertGivenUp(tell());
  }

  private ClosingPhase tell() {
    return new ClosingPhase(connections, channel);
  }

  private void assertGivenUp(ClosingPhase closing) {
    closing.assertGivenUp();
    assertFalse(channel.isOpen());
  }

  /** It takes one message after the other, as told. */
  private static final class Network extends EmbeddedChannel {
    private int takes = 1;

    void take(int messages) {
      takes += messages;
      flush();
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {
      while (takes > 0 && in.current() != null) {
        takes--;
        in.remove();
      }
    }
  }
}
