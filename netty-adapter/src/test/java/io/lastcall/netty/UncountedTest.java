package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.DrainableServer;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawHttp2;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.util.Mapping;
import io.netty.util.ReferenceCountUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.BiConsumer;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The drain closes connections of a protocol that nothing here knows; the server's stop says so.
 */
@Timeout(120)
final class UncountedTest {
  private final EventLoopGroup loops = Transport.NIO.eventLoops();
  private final Harness shutdown = new Harness();
  private int port;

  @SuppressWarnings("NullAway.Init") // by start()
  private DrainableServer server;

  @AfterEach
  void end() throws InterruptedException {
    loops.shutdownGracefully(0, 10, SECONDS).sync();
  }

  private enum Tls {
    NONE,
    FIRST,
    LAST,
    BY_NAME;

    void add(ChannelPipeline pipeline) throws Exception {
      if (this == NONE) {
        return;
      }
      SslContext context = Loopback.server();
      switch (this) {
        case FIRST -> pipeline.addFirst(context.newHandler(pipeline.channel().alloc()));
        case LAST -> pipeline.addLast(context.newHandler(pipeline.channel().alloc()));
        default -> {
          Mapping<String, SslContext> all = host -> context;
          pipeline.addLast(new SniHandler(all));
        }
      }
    }

    RawClient connect(int port) throws Exception {
      if (this == NONE) {
        return new RawClient(port);
      }
      SSLSocket socket =
          (SSLSocket)
              Loopback.client()
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), port);
      socket.startHandshake();
      return new RawClient(socket);
    }
  }

  @ParameterizedTest
  @EnumSource
  void ownProtocol_used_isCut(Tls tls) throws Exception {
    start(true, tls, (drain, pipeline) -> pipeline.addLast(new Echo()));
    try (RawClient client = tls.connect(port)) {
      client.send("hello\n");
      assertEquals("hello\n", client.until("\n"));

      assertCut(1);
      assertTrue(client.ended());
    }
  }

  /** As a TCP probe, a port scanner or a browser's preconnect. */
  @ParameterizedTest
  @EnumSource
  void ownProtocol_nothingSentButTheHandshake_isNot(Tls tls) throws Exception {
    start(true, tls, (drain, pipeline) -> pipeline.addLast(new Echo()));
    try (RawClient client = tls.connect(port)) {
      awaitAccepted();

      assertNothingCut();
      assertTrue(client.ended());
    }
  }

  @Test
  void ownProtocol_clientCloses_isNot() throws Exception {
    start(true, Tls.NONE, (drain, pipeline) -> pipeline.addLast(new Echo()));
    try (RawClient client = Tls.NONE.connect(port)) {
      client.send("hello\n");
      assertEquals("hello\n", client.until("\n"));
    }
    await().until(() -> server.connections().isEmpty());

    assertNothingCut();
  }

  /** Two pipelines, of which the application has given a handler to the other alone. */
  @Test
  void handlerForgotten_otherConnectionsCounted_isCut() throws Exception {
    start(
        false,
        Tls.NONE,
        (drain, pipeline) -> {
          if (server.connections().size() > 1) {
            pipeline.addLast(new Echo());
          } else {
            pipeline.addLast(new HttpServerCodec(), drain.httpHandler(), new Answers());
          }
        });
    try (RawClient counted = Tls.NONE.connect(port)) {
      assertEquals(200, counted.exchange("/").status());
      try (RawClient client = Tls.NONE.connect(port)) {
        client.send("hello\n");
        assertEquals("hello\n", client.until("\n"));

        assertCut(1);
      }
    }
  }

  /** As from a load balancer that keeps connections ready; and half of a header. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n",
        "PROXY TCP4 192.0",
        "PRI * HTTP/2.0\r\n"
      })
  void known_nothingButWhatComesInFront_isNot(String front) throws Exception {
    start(
        true,
        Tls.NONE,
        (drain, pipeline) -> {
          if (front.startsWith("PROXY")) {
            pipeline.addLast(new HAProxyMessageDecoder());
          }
          pipeline.addLast(new HttpServerCodec(), new Answers());
        });
    try (RawClient client = Tls.NONE.connect(port)) {
      client.send(front);
      awaitAccepted();

      assertNothingCut();
    }
  }

  @Test
  void http2InOneHandler_streamIsOpen_isCut() throws Exception {
    start(true, Tls.NONE, (drain, pipeline) -> pipeline.addLast(http2(0)));
    try (RawHttp2 client = new RawHttp2(port)) {
      client.post(1, "/");
      client.await(RawHttp2.HEADERS);

      assertCut(1);
    }
  }

  @Test
  void http2InOneHandler_noStreamIsOpen_isNot() throws Exception {
    start(true, Tls.NONE, (drain, pipeline) -> pipeline.addLast(http2(0)));
    try (RawHttp2 client = new RawHttp2(port)) {
      client.post(1, "/");
      client.await(RawHttp2.HEADERS);
      client.reset(1);
      client.ping();
      client.await(RawHttp2.PING);

      assertNothingCut();
    }
  }

  /** The close is HTTP/2's, and waits for the stream. */
  @Test
  void http2InOneHandler_streamEndsBehindTheDrain_isNot() throws Exception {
    start(true, Tls.NONE, (drain, pipeline) -> pipeline.addLast(http2(60_000)));
    try (RawHttp2 client = new RawHttp2(port)) {
      client.post(1, "/");
      client.await(RawHttp2.HEADERS);
      server.stopListening(TestServer.soon());
      var ended = server.connectionsEnded().toCompletableFuture();
      client.await(RawHttp2.GOAWAY);
      client.reset(1);
      ended.get(60, SECONDS);

      assertDoesNotThrow(() -> server.stop(TestServer.soon()));
    }
  }

  /** The event loops' end closes the connection. */
  @Test
  void http2InOneHandler_streamOutlivesTheDrain_isCut() throws Exception {
    start(true, Tls.NONE, (drain, pipeline) -> pipeline.addLast(http2(60_000)));
    try (RawHttp2 client = new RawHttp2(port)) {
      client.post(1, "/");
      client.await(RawHttp2.HEADERS);
      server.stopListening(TestServer.soon());
      server.connectionsEnded();
      client.await(RawHttp2.GOAWAY);

      assertStopFails(1);
    }
  }

  private void start(boolean placing, Tls tls, BiConsumer<NettyDrain, ChannelPipeline> application)
      throws InterruptedException {
    Channel listener =
        new ServerBootstrap()
            .group(loops)
            .channel(Transport.NIO.listener())
            .childHandler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) throws Exception {
                    tls.add(channel.pipeline());
                    application.accept(shutdown.drain, channel.pipeline());
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    port = ((InetSocketAddress) listener.localAddress()).getPort();
    server =
        placing
            ? shutdown.drain.placingServer("own", listener, loops)
            : shutdown.drain.server("own", listener, loops);
    ServerConnections.of(listener).setPatience(Duration.ZERO);
  }

  private void awaitAccepted() {
    await().until(() -> !server.connections().isEmpty());
  }

  private void drain() throws Exception {
    server.stopListening(TestServer.soon());
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              server.connectionsEnded();
              return server.connections().isEmpty();
            });
  }

  private void assertNothingCut() throws Exception {
    drain();
    assertDoesNotThrow(() -> server.stop(TestServer.soon()));
  }

  private void assertCut(int connections) throws Exception {
    drain();
    assertStopFails(connections);
  }

  private void assertStopFails(int connections) {
    String said =
        assertThrows(IllegalStateException.class, () -> server.stop(TestServer.soon()))
            .getMessage();
    assertTrue(said.startsWith("own: "), said);
    assertTrue(said.contains("connections: " + connections + ";"), said);
  }

  /**
   * HTTP/2 as frameworks read it that know no streams of Netty.
   *
   * @param patience how long a close waits for streams, in milliseconds; 0 cuts them, as in Vert.x
   */
  private static Http2ConnectionHandler http2(long patience) {
    Heads heads = new Heads();
    Http2ConnectionHandler codec =
        new Http2ConnectionHandlerBuilder()
            .frameListener(heads)
            .gracefulShutdownTimeoutMillis(patience)
            .build();
    heads.codec = codec;
    return codec;
  }

  /** Answers each stream with a head, and no end. */
  private static final class Heads extends Http2FrameAdapter {
    @SuppressWarnings("NullAway.Init") // by http2()
    private Http2ConnectionHandler codec;

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean end) {
      codec
          .encoder()
          .writeHeaders(
              ctx, stream, new DefaultHttp2Headers().status("200"), 0, false, ctx.newPromise());
      ctx.flush();
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int stream,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean end) {
      onHeadersRead(ctx, stream, headers, padding, end);
    }
  }

  private static final class Echo extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ctx.writeAndFlush(message);
    }
  }

  private static final class Answers extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
      if (message instanceof HttpRequest) {
        ctx.writeAndFlush(Harness.ok("whole"));
      }
    }
  }
}
