package io.lastcall.subjects.netty;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.RawClient;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("all")
@Timeout(120)
class RoutesTest {
  private final Loop loop = new Loop();

  /** Counts the tasks that are to run later. */
  private static final class Loop extends SingleThreadIoEventLoop {
    final AtomicInteger scheduled = new AtomicInteger();

    Loop() {
      super(null, Executors.defaultThreadFactory(), NioIoHandler.newFactory());
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
      scheduled.getAndIncrement();
      return super.schedule(task, delay, unit);
    }
  }

  @AfterEach
  void close() {
    loop.shutdownGracefully(0, 0, MILLISECONDS);
  }

  @Test
  void stream_clientHasLeft_ends() throws Exception {
    try (RawClient client = new RawClient(serve())) {
      client.get("/stream?ms=3600000").readHead();
      assertEquals(100, client.readChunk().length());
    }
    await().atMost(Duration.ofSeconds(60)).until(this::schedulesNothing);
  }

  /** In a time that more than one piece would be due in. */
  private boolean schedulesNothing() throws InterruptedException {
    int before = loop.scheduled.get();
    loop.schedule(() -> {}, 250, MILLISECONDS).sync();
    return loop.scheduled.get() == before + 1;
  }

  private int serve() throws InterruptedException {
    ServerBootstrap server =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), new Routes());
                  }
                });
    Channel listener = server.bind(0).sync().channel();
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }
}
