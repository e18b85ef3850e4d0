package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ToldToClose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultChannelPromise;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HTTP/1.1 connections whose application takes the codec out right behind its answer. */
@Timeout(120)
final class UpgradeTest {
  @ParameterizedTest
  @CsvSource({"CONNECT a:1, tunnel", "GET /chat, chat"})
  void headWithoutAnEnd_isNotInFlightAndIsClosed(String request, String kind) {
    Harness http = new Harness(new Tunnel());
    http.send(request + " HTTP/1.1\r\nUpgrade: chat\r\n\r\n");
    assertEquals(0, http.inFlight());
    assertEquals(1, http.connections.connections().open());
    assertTrue(ServerConnections.of(http.channel).open().isEmpty());

    ToldToClose.all(http.connections);
    http.channel.runPendingTasks();
    assertFalse(http.channel.isOpen());
    assertEquals(Map.of(kind, 1L), http.connections.ended());
    http.channel.finishAndReleaseAll();
  }

  @Test
  void headAndEndInTwoParts_bothPass() {
    Harness http = new Harness();
    http.send("CONNECT a:1 HTTP/1.1\r\n\r\n");
    http.channel.writeOutbound(
        new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
    assertEquals(0, http.inFlight());

    assertTrue(http.channel.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT).isSuccess());
    http.channel.finishAndReleaseAll();
  }

  /** Netty tells of a write by a handler with an executor group on that group's thread. */
  @Test
  void channelGoneBeforeTheHeadIsKnownToBeOut_isForgotten() throws Exception {
    Harness http = new Harness();
    CountDownLatch gone = new CountDownLatch(1);
    EventExecutor thread = new DefaultEventExecutor();
    thread.submit(
        () -> {
          gone.await();
          return null;
        });
    http.send("CONNECT a:1 HTTP/1.1\r\n\r\n");
    http.channel
        .pipeline()
        .lastContext()
        .writeAndFlush(
            new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK),
            new DefaultChannelPromise(http.channel, thread));
    http.channel.close();
    gone.countDown();
    thread.submit(() -> {}).sync();
    http.channel.runPendingTasks();

    assertEquals(0, http.connections.connections().open());
    assertEquals(0, http.inFlight());
    http.channel.finishAndReleaseAll();
    thread.shutdownGracefully();
  }

  /** As Vert.x's {@code toNetSocket}: a head without an end, and then bytes. */
  private static final class Tunnel extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HttpRequest request) {
        boolean connect = request.method().name().equals("CONNECT");
        HttpResponse head =
            new DefaultHttpResponse(
                HttpVersion.HTTP_1_1,
                connect ? HttpResponseStatus.OK : HttpResponseStatus.SWITCHING_PROTOCOLS);
        head.headers().set("Upgrade", "chat");
        ctx.write(head);
        ctx.pipeline().remove(HttpServerCodec.class);
        ByteBuf hello = Unpooled.copiedBuffer("hello", UTF_8);
        ctx.writeAndFlush(hello);
      }
      ReferenceCountUtil.release(message);
    }
  }
}
