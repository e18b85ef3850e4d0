package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2StreamChannelBootstrap;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Netty's own client, on one connection until a GOAWAY, then on the next. */
@Timeout(120)
final class Http2LoadTest {
  private static final int REQUESTS = 1_000;
  private static final int CONCURRENT = 32;

  private final EventLoopGroup loops = Transport.NIO.eventLoops();
  private final AtomicInteger goAways = new AtomicInteger();
  private TestServer server;
  private volatile CompletableFuture<Channel> connection;

  @BeforeEach
  void start() throws Exception {
    server = new TestServer();
    connection = connect();
  }

  @AfterEach
  void stop() throws Exception {
    loops.shutdownGracefully(0, 1, SECONDS).sync();
    server.close();
  }

  @Test
  void announceUnderLoad_losesNothing() throws Exception {
    List<CompletableFuture<String>> statuses = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      if (i % 100 == 99) {
        server.server.connections().forEach(open -> open.announceClose());
      }
      if (i >= CONCURRENT) {
        statuses.get(i - CONCURRENT).join();
      }
      // On the event loop: no GOAWAY comes between the choice of a connection and its use.
      statuses.add(
          CompletableFuture.supplyAsync(() -> connection.thenCompose(Http2LoadTest::get), loops)
              .thenCompose(status -> status));
    }
    for (CompletableFuture<String> status : statuses) {
      assertEquals("200", status.get(60, SECONDS));
    }
    assertEquals(REQUESTS, server.control.started());
    assertTrue(goAways.get() > 1);
    server.leave();
    server.server.stopListening(TestServer.soon());
    server.closeIdle();
    server.server.connectionsEnded().toCompletableFuture().get(60, SECONDS);
    assertEquals(0, server.inFlight());
  }

  private CompletableFuture<Channel> connect() {
    CompletableFuture<Channel> connected = new CompletableFuture<>();
    new Bootstrap()
        .group(loops)
        .channel(NioSocketChannel.class)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel
                    .pipeline()
                    .addLast(
                        Http2FrameCodecBuilder.forClient().build(),
                        new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()),
                        new Moves());
              }
            })
        .connect(InetAddress.getLoopbackAddress(), server.port)
        .addListener(
            (ChannelFuture opened) -> {
              if (opened.isSuccess()) {
                connected.complete(opened.channel());
              } else {
                connected.completeExceptionally(opened.cause());
              }
            });
    return connected;
  }

  private static CompletableFuture<String> get(Channel connection) {
    CompletableFuture<String> status = new CompletableFuture<>();
    new Http2StreamChannelBootstrap(connection)
        .handler(new Response(status))
        .open()
        .addListener(
            opened -> {
              if (!opened.isSuccess()) {
                status.completeExceptionally(opened.cause());
              }
            });
    return status;
  }

  /** The first GOAWAY on a connection sends the next requests to another. */
  private final class Moves extends ChannelInboundHandlerAdapter {
    private boolean moved;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2GoAwayFrame && !moved) {
        moved = true;
        goAways.incrementAndGet();
        connection = connect();
      }
      ReferenceCountUtil.release(message);
    }
  }

  private static final class Response extends ChannelInboundHandlerAdapter {
    private final CompletableFuture<String> result;
    private String status = "none";

    Response(CompletableFuture<String> result) {
      this.result = result;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      ctx.writeAndFlush(
          new DefaultHttp2HeadersFrame(
              new DefaultHttp2Headers().method("GET").scheme("http").authority("a").path("/fast"),
              true));
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2HeadersFrame head) {
        status = head.headers().status().toString();
      } else if (message instanceof Http2DataFrame data && data.isEndStream()) {
        result.complete(status);
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      result.completeExceptionally(new IllegalStateException("closed with status " + status));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      result.completeExceptionally(cause);
    }
  }
}
