package io.lastcall.netty;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.Connections;
import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.EndlessResponse;
import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.Probes;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The handlers and server roles of Netty servers for one shutdown. Immutable and thread-safe.
 *
 * <pre>{@code
 * NettyDrain drain = NettyDrain.of(shutdown);
 * // in the ChannelInitializer of each connection:
 * pipeline.addLast(new HttpServerCodec(), drain.httpHandler(), new MyHandler());
 * // once bound:
 * shutdown.server(drain.server("netty:8080", listener, bosses, workers));
 * }</pre>
 */
public final class NettyDrain {
  /** RFC 6455, section 5.5: a control frame has at most 125 bytes, and the code is two of them. */
  private static final int LONGEST_REASON = 123;

  /** RFC 6455, section 7.4.2. */
  private static final int LAST_CODE = 4999;

  final RequestGate gate;
  final Probes probes;
  final Connections connections;
  final WebSocketCloseStatus webSocketEnd;

  NettyDrain(RequestGate gate, Probes probes, Connections connections) {
    this(gate, probes, connections, WebSocketCloseStatus.ENDPOINT_UNAVAILABLE);
  }

  private NettyDrain(
      RequestGate gate, Probes probes, Connections connections, WebSocketCloseStatus webSocketEnd) {
    this.gate = gate;
    this.probes = probes;
    this.connections = connections;
    this.webSocketEnd = webSocketEnd;
  }

  /** Returns the handlers and server roles for {@code shutdown}. */
  public static NettyDrain of(GracefulShutdown shutdown) {
    return new NettyDrain(shutdown.gate(), shutdown.probes(), shutdown.connections());
  }

  /**
   * Returns the same with another code and reason in the close frame that ends a WebSocket, such as
   * {@link WebSocketCloseStatus#SERVICE_RESTART}, 1012, for clients that distinguish it. Default:
   * 1001, going away (RFC 6455, section 7.4.1).
   *
   * @throws IllegalArgumentException for a code that no frame may carry, or a reason of more than
   *     123 bytes (RFC 6455, sections 7.4 and 5.5)
   */
  public NettyDrain webSocketEnd(WebSocketCloseStatus status) {
    int bytes = status.reasonText().getBytes(StandardCharsets.UTF_8).length;
    if (!isForFrames(status.code()) || bytes > LONGEST_REASON) {
      throw new IllegalArgumentException(
          "webSocketEnd(%s): allowed: a code that a close frame may carry, such as 1001, 1012 or 4000"
                  .formatted(status)
              + " to 4999, and a reason of at most %d bytes".formatted(LONGEST_REASON));
    }
    return new NettyDrain(gate, probes, connections, status);
  }

  /** Netty's check lets negative codes pass, and those beyond the last. */
  private static boolean isForFrames(int code) {
    return code >= 0 && code <= LAST_CODE && WebSocketCloseStatus.isValidStatusCode(code);
  }

  /**
   * Returns the handler for one HTTP/1.1 connection. Its place is right after the {@code
   * HttpServerCodec}, before aggregators, compressors, upgrades and the application, and it stays
   * there for good. It runs on the event loop; handlers of the application may have executor
   * groups.
   *
   * <p>It counts each request until its response has been written out, pipelined ones included;
   * answers the probes, uncounted; answers refused requests; and once a shutdown has begun lets
   * responses say {@code Connection: close}, in the very objects that the application writes, and
   * ends the connection after them, so that the application need not. A WebSocket is ended by a
   * close frame ({@link #webSocketEnd}), a response without an end ({@link EndlessResponse}: an
   * event stream in answer to GET) by {@link LeavingEvent.StreamEnding}; neither counts as in
   * flight. Any other response is waited for.
   */
  public ChannelHandler httpHandler() {
    return new Http1Handler(this);
  }

  /**
   * Returns the handler for one HTTP/2 connection. Its place is between the {@code Http2FrameCodec}
   * and the {@code Http2MultiplexHandler} or whatever else serves the streams, and it stays there
   * for good, on the event loop. Needs {@code netty-codec-http2}.
   *
   * <p>It counts each stream until its response has been written out or the stream was reset;
   * answers the probes, uncounted; answers refused requests; and once a shutdown has begun sends
   * the client two GOAWAY frames (RFC 9113, section 6.8), serves the streams that the client opens
   * until it has seen them, and then ends the connection. A response without an end ({@link
   * EndlessResponse}) does not count as in flight; its stream is ended when long-lived connections
   * are, and so is a tunnel, which a WebSocket over HTTP/2 (RFC 8441) is to this handler.
   */
  public ChannelHandler http2Handler() {
    return new Http2Handler(this);
  }

  /**
   * Returns a handler for one connection whose pipeline a framework builds. Its place is the first
   * in the pipeline, before TLS and the codec, and it is there before the first read. It puts the
   * {@link #httpHandler} or the {@link #http2Handler} right after the {@code HttpServerCodec} (or
   * decoder and encoder) or the {@code Http2FrameCodec}, once it is known which of them stays, and
   * removes itself: with TLS and ALPN, with HTTP/2 by prior knowledge on one port with HTTP/1.1,
   * and after a PROXY header.
   */
  public ChannelHandler placingHandler() {
    return new Placement(this);
  }

  /**
   * As {@link #server}, for a framework's listener: puts a {@link #placingHandler} into each
   * connection that it accepts. May be called in the listener's {@code channelActive}, too.
   */
  public DrainableServer placingServer(String name, Channel listener, EventLoopGroup... groups) {
    return new NettyServer(
        name,
        listener,
        List.of(groups),
        connection -> connection.pipeline().addFirst(placingHandler()));
  }

  /**
   * Returns a handler for the pipeline of a listener that a framework opens and hands to the
   * application before it is bound, such as {@code ServerBootstrap.handler(...)}. Once the listener
   * is bound, the handler makes its {@link #placingServer} role.
   *
   * @param name as for {@link #server}
   * @param servers is given the role, mostly {@code shutdown::server}; must not block
   * @param groups as for {@link #server}; the listener's own group need not be among them
   */
  public ChannelHandler listenerHandler(
      String name, Consumer<? super DrainableServer> servers, EventLoopGroup... groups) {
    return new ChannelInboundHandlerAdapter() {
      @Override
      public void channelActive(ChannelHandlerContext ctx) {
        servers.accept(placingServer(name, ctx.channel(), withItsOwn(ctx, groups)));
        ctx.fireChannelActive();
      }
    };
  }

  private static EventLoopGroup[] withItsOwn(ChannelHandlerContext ctx, EventLoopGroup[] groups) {
    return Stream.concat(Stream.of(ctx.channel().eventLoop().parent()), Stream.of(groups))
        .distinct()
        .toArray(EventLoopGroup[]::new);
  }

  /**
   * Returns the server role of one listener. Several listeners may share event loops, but not a
   * port ({@code SO_REUSEPORT}): that a listener's queue is empty is known by a connection of our
   * own, and among several the kernel picks one for it.
   *
   * @param name what logs and the report call it, such as {@code netty:8080}
   * @param listener the bound channel; its connections are followed from here on, so call this
   *     right after {@code bind}
   * @param groups all event loops that serve it, acceptors included: ended as the last thing before
   *     the process exits
   */
  public DrainableServer server(String name, Channel listener, EventLoopGroup... groups) {
    return new NettyServer(name, listener, List.of(groups), connection -> {});
  }
}
