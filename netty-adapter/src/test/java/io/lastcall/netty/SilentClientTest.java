package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.Probes;
import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
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
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that do not answer their close frame, or take nothing in. */
@Timeout(30)
final class SilentClientTest {
  private final ConnectionControl connections = new ConnectionControl();
  private final NettyDrain drain =
      new NettyDrain(
          new GateControl(Ticker.system()).gate(),
          new Probes(() -> true, () -> true),
          connections.connections());
  private final Network channel = new Network();
  private final ManualTicker ticker = new ManualTicker();

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
    Background<Boolean> closing = tell();
    assertTrue(channel.isOpen());

    assertGivenUp(closing);
  }

  /** A client that reads slowly has its time once the frame has left. */
  @Test
  void webSocket_endNotSentYetAndSomethingInFrontOfItIs_isWaitedFor() {
    openWebSocket();
    channel.write(new TextWebSocketFrame("one"));
    channel.write(new TextWebSocketFrame("two"));
    Background<Boolean> closing = tell();
    channel.take(1);
    awaitNextAnswer(closing, 1);
    channel.take(1);
    awaitNextAnswer(closing, 2);
    assertEquals(1, connections.connections().open());

    channel.take(1);
    assertGivenUp(closing);
  }

  /** As a phone without a network, behind messages enough. */
  @Test
  void webSocket_takesNothingIn_isWaitedForNoLongerThanTwoAnswersTake() {
    openWebSocket();
    channel.write(new TextWebSocketFrame("one"));
    Background<Boolean> closing = tell();
    awaitNextAnswer(closing, 1);

    assertGivenUp(closing);
  }

  @Test
  void eventStream_takesNothingIn_isWaitedForNoLongerThanTwoAnswersTake() {
    channel.writeOutbound(Harness.head("text/event-stream"));
    Background<Boolean> closing = tell();
    awaitNextAnswer(closing, 1);

    assertGivenUp(closing);
  }

  private Background<Boolean> tell() {
    Deadline deadline = Deadline.after(LongLivedConnection.ANSWER.multipliedBy(10), ticker);
    Background<Boolean> closing =
        Background.run(() -> connections.closeAll(Duration.ZERO, deadline));
    ticker.awaitParked(closing.thread());
    channel.runPendingTasks();
    return closing;
  }

  /** The time for an answer passes, and another one begins. */
  private void awaitNextAnswer(Background<Boolean> closing, int answers) {
    ticker.advance(LongLivedConnection.ANSWER);
    assertEquals(
        LongLivedConnection.ANSWER.multipliedBy(answers + 1), ticker.awaitParked(closing.thread()));
    channel.runPendingTasks();
  }

  private void assertGivenUp(Background<Boolean> closing) {
    ticker.advance(LongLivedConnection.ANSWER);
    assertTrue(closing.result());
    channel.runPendingTasks();
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
