package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.DrainableServer;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.Probes;
import io.lastcall.testing.FixedProbes;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerUpgradeHandler;
import io.netty.handler.codec.http.HttpServerUpgradeHandler.UpgradeCodec;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2ServerUpgradeCodec;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SniHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.util.Mapping;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A real server on loopback: {@code /hold} is answered when the test says so, {@code /sse} and
 * {@code /ws} are what they say, anything else gets its body's length at once.
 */
final class TestServer {
  final GateControl control = new GateControl(Ticker.system());
  final ConnectionControl connections = new ConnectionControl();
  final NettyDrain drain;
  final EventLoopGroup bosses;
  final EventLoopGroup workers;
  final Channel listener;
  final BlockingQueue<Channel> held = new LinkedBlockingQueue<>();
  final DrainableServer server;
  final int port;

  /** Connections whose pipeline was set up. */
  final AtomicInteger setUp = new AtomicInteger();

  /** How connections from now on come by TLS and HTTP. */
  volatile TlsPipeline tlsPipeline = TlsPipeline.ALPN;

  enum TlsPipeline {
    /** The codec comes behind the handshake. */
    ALPN,
    /** So does TLS, behind the client's hello. */
    SNI,
    /** All is there from the beginning. */
    HTTP_1
  }

  TestServer() throws InterruptedException {
    this(Transport.NIO, null);
  }

  TestServer(Transport transport, @Nullable SslContext tls) throws InterruptedException {
    this(transport, tls, FixedProbes.of(() -> true, () -> true));
  }

  TestServer(Transport transport, @Nullable SslContext tls, Probes probes)
      throws InterruptedException {
    drain = new NettyDrain(control.gate(), probes, connections.connections());
    bosses = transport.eventLoops();
    workers = transport.eventLoops();
    listener =
        new ServerBootstrap()
            .group(bosses, workers)
            .channel(transport.listener())
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    setUp.incrementAndGet();
                    if (tls == null) {
                      channel.pipeline().addLast(new ByPreface());
                    } else {
                      tls(channel.pipeline(), tls);
                    }
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    port = ((InetSocketAddress) listener.localAddress()).getPort();
    server = drain.server("test", listener, bosses, workers);
  }

  static Deadline soon() {
    return Deadline.after(Duration.ofSeconds(60), Ticker.system());
  }

  /** How long connections from now on are kept for their first request. */
  void setPatience(Duration patience) {
    ServerConnections.of(listener).setPatience(patience);
  }

  /** From now on every response says close. */
  void leave() {
    control.leave(Duration.ZERO);
  }

  RawClient connect() throws Exception {
    return new RawClient(port);
  }

  /** Waits for a connection that can be told something: one that its event loop has taken up. */
  void awaitConnection() {
    await()
        .until(
            () ->
                server.connections().stream()
                    .anyMatch(open -> ((TrackedConnection) open).channel().isRegistered()));
  }

  /** Answers the oldest {@code /hold}, from the test's thread. */
  void answerHeld() throws InterruptedException {
    Channel channel = held.poll(60, TimeUnit.SECONDS);
    if (channel == null) {
      throw new AssertionError("no /hold has arrived");
    }
    channel.writeAndFlush(Harness.ok("held"));
  }

  void awaitHeld() throws InterruptedException {
    held.add(held.take());
  }

  /** Keeps an event loop from doing anything until the latch is released. */
  static CountDownLatch block(EventLoopGroup group) throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    group.execute(
        () -> {
          entered.countDown();
          try {
            release.await(60, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    entered.await();
    return release;
  }

  /** Tells all idle connections to close, as the sequence does. */
  void closeIdle() {
    server.connections().forEach(connection -> connection.closeIfIdle());
  }

  /**
   * Waits until the connections that were told have been looked at, and have ended if they were
   * idle. That look is scheduled by the event loop. Only what the event loop schedules behind it
   * surely runs later: a task that another thread schedules runs as any task once it is due.
   */
  void awaitChecked() throws InterruptedException {
    workers
        .submit(() -> workers.schedule(() -> {}, 0, TimeUnit.NANOSECONDS))
        .sync()
        .getNow()
        .sync();
  }

  long inFlight() {
    return control.gate().inFlight();
  }

  void close() throws Exception {
    server.stop(soon());
  }

  private void tls(ChannelPipeline pipeline, SslContext tls) {
    switch (tlsPipeline) {
      case ALPN -> {
        // First, as some do: in front of what the library may have there.
        pipeline.addFirst(tls.newHandler(pipeline.channel().alloc()));
        pipeline.addLast(new ByAlpn());
      }
      case SNI -> {
        Mapping<String, SslContext> all = host -> tls;
        pipeline.addLast(new SniHandler(all), new ByAlpn());
      }
      case HTTP_1 -> {
        pipeline.addLast(tls.newHandler(pipeline.channel().alloc()));
        http1(pipeline);
      }
    }
  }

  private void http1(ChannelPipeline pipeline) {
    HttpServerCodec codec = new HttpServerCodec();
    pipeline.addLast(
        codec,
        drain.httpHandler(),
        new HttpServerUpgradeHandler(codec, this::h2c, 1 << 20),
        new HttpObjectAggregator(1 << 20),
        new WebSocketServerProtocolHandler("/ws"),
        new Application(),
        new Echo());
  }

  /** Never asked for: the adapter's handler ignores such offers. */
  private @Nullable UpgradeCodec h2c(CharSequence protocol) {
    return "websocket".contentEquals(protocol)
        ? null
        : new Http2ServerUpgradeCodec(
            Http2FrameCodecBuilder.forServer().build(), drain.http2Handler(), streams());
  }

  private void http2(ChannelPipeline pipeline) {
    pipeline.addLast(Http2FrameCodecBuilder.forServer().build(), drain.http2Handler(), streams());
  }

  private ChannelHandler streams() {
    return new Http2MultiplexHandler(
        new ChannelInitializer<Channel>() {
          @Override
          protected void initChannel(Channel stream) {
            stream
                .pipeline()
                .addLast(
                    new Http2StreamFrameToHttpObjectCodec(true),
                    new EarlyAnswer(),
                    new HttpObjectAggregator(1 << 20),
                    new Application());
          }
        });
  }

  /** HTTP/2 begins with {@code PRI} (RFC 9113, section 3.4), which is no method of HTTP/1.1. */
  private final class ByPreface extends ByteToMessageDecoder {
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      if (in.readableBytes() < 3) {
        return;
      }
      if (in.toString(in.readerIndex(), 3, UTF_8).equals("PRI")) {
        http2(ctx.pipeline());
      } else {
        http1(ctx.pipeline());
      }
      ctx.pipeline().remove(this);
    }
  }

  private final class ByAlpn extends ApplicationProtocolNegotiationHandler {
    ByAlpn() {
      super(ApplicationProtocolNames.HTTP_1_1);
    }

    @Override
    protected void configurePipeline(ChannelHandlerContext ctx, String protocol) {
      if (protocol.equals(ApplicationProtocolNames.HTTP_2)) {
        http2(ctx.pipeline());
      } else {
        http1(ctx.pipeline());
      }
    }
  }

  private final class Application extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      switch (request.uri()) {
        case "/hold" -> held.add(ctx.channel());
        case "/sse" -> {
          ctx.write(Harness.head("text/event-stream;charset=utf-8"));
          ctx.writeAndFlush(new DefaultHttpContent(Unpooled.copiedBuffer("data: 1\n\n", UTF_8)));
        }
        default -> ctx.writeAndFlush(Harness.ok(String.valueOf(request.content().readableBytes())));
      }
    }
  }

  /** Answers {@code /early} before its body has come. */
  private static final class EarlyAnswer extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HttpRequest request && request.uri().equals("/early")) {
        ctx.writeAndFlush(Harness.ok("early"));
      } else {
        ctx.fireChannelRead(message);
      }
    }
  }

  private static final class Echo extends SimpleChannelInboundHandler<WebSocketFrame> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
      if (frame instanceof TextWebSocketFrame) {
        ctx.writeAndFlush(frame.retain());
      }
    }
  }
}
