package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.DrainableServer.Counting;
import io.lastcall.testing.RawClient;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server says whether our handler is in its connections' pipelines. */
@Timeout(60)
class CountingTest {
  private static final byte[] ANSWER =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(US_ASCII);

  /** The initializer has forgotten {@code drain.httpHandler()}. */
  @Test
  void counting_noHandlerOfOursInThePipeline_isMissingFromTheFirstRequestOn() throws Exception {
    EventLoopGroup loops = Transport.NIO.eventLoops();
    TestServer drain = new TestServer();
    try {
      Channel listener = answering(loops);
      DrainableServer server = drain.drain.server("forgotten", listener, loops);
      assertEquals(Counting.UNKNOWN, server.counting());
      int port = ((InetSocketAddress) listener.localAddress()).getPort();
      try (RawClient client = new RawClient(port)) {
        client.exchange("/");
      }
      await().untilAsserted(() -> assertEquals(Counting.MISSING, server.counting()));
    } finally {
      drain.close();
      loops.shutdownGracefully().sync();
    }
  }

  private static Channel answering(EventLoopGroup loops) throws InterruptedException {
    return new ServerBootstrap()
        .group(loops)
        .channel(Transport.NIO.listener())
        .childHandler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel
                    .pipeline()
                    .addLast(
                        new ChannelInboundHandlerAdapter() {
                          @Override
                          public void channelRead(ChannelHandlerContext ctx, Object message) {
                            ReferenceCountUtil.release(message);
                            ctx.writeAndFlush(Unpooled.copiedBuffer(ANSWER));
                          }
                        });
              }
            })
        .bind("127.0.0.1", 0)
        .sync()
        .channel();
  }

  /** The codec, and our handler, come only as the preface is read. */
  @Test
  void counting_handlerComesWithTheFirstRequest_isInPlace() throws Exception {
    TestServer server = new TestServer();
    try (RawClient client = server.connect()) {
      assertEquals(Counting.UNKNOWN, server.server.counting());
      client.exchange("/fast");
      assertEquals(Counting.IN_PLACE, server.server.counting());
    } finally {
      server.close();
    }
  }
}
