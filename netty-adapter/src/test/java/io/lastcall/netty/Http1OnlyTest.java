package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.connection.DrainableServer;
import io.lastcall.testing.RawClient;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.File;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A service of HTTP/1.1 alone need not have {@code netty-codec-http2}, which is optional. */
@Timeout(120)
class Http1OnlyTest {
  private static final String CODEC = "netty-codec-http2";

  @ParameterizedTest
  @ValueSource(strings = {"handler", "placing"})
  void withoutTheCodecOfHttp2_servesAndDrains(String role) throws Exception {
    try (URLClassLoader without = withoutCodec()) {
      Object service =
          Class.forName(Service.class.getName(), true, without)
              .getDeclaredConstructor(boolean.class)
              .newInstance(role.equals("placing"));
      assertEquals(200, ((Callable<?>) service).call());
    }
  }

  /** The row without: the class loader has all but that codec. */
  @Test
  void codecOfHttp2_isNotThere() throws Exception {
    try (URLClassLoader without = withoutCodec()) {
      assertThrows(
          ClassNotFoundException.class,
          () -> without.loadClass("io.netty.handler.codec.http2.Http2FrameCodec"));
    }
  }

  private static URLClassLoader withoutCodec() throws Exception {
    List<URL> paths = new ArrayList<>();
    for (String each :
        System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator), -1)) {
      if (!each.contains(CODEC)) {
        paths.add(Path.of(each).toUri().toURL());
      }
    }
    return new URLClassLoader(paths.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  /** Serves one request, and drains. */
  public static final class Service implements Callable<Integer> {
    private final boolean placing;

    public Service(boolean placing) {
      this.placing = placing;
    }

    @Override
    public Integer call() throws Exception {
      NettyDrain drain = new Harness().drain;
      EventLoopGroup loops = Transport.NIO.eventLoops();
      Channel listener =
          new ServerBootstrap()
              .group(loops)
              .channel(Transport.NIO.listener())
              .childHandler(
                  new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(new HttpServerCodec());
                      if (!placing) {
                        channel.pipeline().addLast(drain.httpHandler());
                      }
                      channel.pipeline().addLast(new Answers());
                    }
                  })
              .bind("127.0.0.1", 0)
              .sync()
              .channel();
      DrainableServer server =
          placing
              ? drain.placingServer("own", listener, loops)
              : drain.server("own", listener, loops);
      try (RawClient client =
          new RawClient(((InetSocketAddress) listener.localAddress()).getPort())) {
        int status = client.exchange("/").status();
        server.stopListening(TestServer.soon());
        server.connectionsEnded().toCompletableFuture().get(60, SECONDS);
        server.stop(TestServer.soon());
        return status;
      }
    }
  }

  private static final class Answers extends SimpleChannelInboundHandler<HttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpRequest request) {
      ctx.writeAndFlush(Harness.ok("whole"));
    }
  }
}
