package io.lastcall.netty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.DrainableServer;
import io.lastcall.inflight.GateControl;
import io.lastcall.testing.FixedProbes;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Ticker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipelineException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Handlers that the application runs on threads of its own, as blocking ones do. */
@SuppressWarnings("deprecation") // in Netty 4.2, and in much use
@Timeout(120)
final class ExecutorGroupTest {
  private static final int BURSTS = 100;
  private static final int PIPELINED = 50;
  private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n";

  private final GateControl control = new GateControl(Ticker.system());
  private final NettyDrain drain =
      new NettyDrain(
          control.gate(),
          FixedProbes.of(() -> true, () -> true),
          new ConnectionControl().connections());
  private final EventExecutorGroup threads = new DefaultEventExecutorGroup(2);

  @AfterEach
  void stop() {
    threads.shutdownGracefully();
  }

  /** Netty tells the futures of such a handler's writes on the handler's thread. */
  @Test
  void applicationOnItsOwnThread_pipelining_everythingIsCountedDown() throws Exception {
    EventLoopGroup loops = Transport.NIO.eventLoops();
    Channel listener =
        new ServerBootstrap()
            .group(loops)
            .channel(Transport.NIO.listener())
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(),
                            drain.httpHandler(),
                            new HttpObjectAggregator(1000))
                        .addLast(threads, new Hello());
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    DrainableServer server = drain.server("test", listener, loops);
    int port = ((InetSocketAddress) listener.localAddress()).getPort();
    try (RawClient client = new RawClient(port)) {
      for (int burst = 0; burst < BURSTS; burst++) {
        client.send(GET.repeat(PIPELINED));
        for (int i = 0; i < PIPELINED; i++) {
          assertEquals("hello", client.read().body());
        }
      }
      await().until(() -> control.gate().inFlight() == 0);
      server.stopListening(TestServer.soon());
      server.connectionsEnded().toCompletableFuture().get();
      assertEquals("", client.rest());
    }
    server.stop(TestServer.soon());
  }

  /** What a connection is, its event loop alone knows. */
  @Test
  void handlerOfOursOnAnotherThread_isRefused() {
    assertRefused(new HttpServerCodec(), drain.httpHandler());
    assertRefused(Http2FrameCodecBuilder.forServer().build(), drain.http2Handler());
  }

  private void assertRefused(ChannelHandler codec, ChannelHandler ours) {
    EmbeddedChannel channel = new EmbeddedChannel(codec);
    channel.pipeline().addLast(ImmediateEventExecutor.INSTANCE, ours);
    ChannelPipelineException refused =
        assertThrows(ChannelPipelineException.class, channel::checkException);
    assertTrue(String.valueOf(refused.getCause()).contains("event loop"), refused::toString);
    assertNull(channel.pipeline().context(ours));
    channel.finishAndReleaseAll();
  }

  private static final class Hello extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      ctx.writeAndFlush(Harness.ok("hello"));
    }
  }
}
