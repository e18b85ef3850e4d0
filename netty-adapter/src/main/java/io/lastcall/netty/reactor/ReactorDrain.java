package io.lastcall.netty.reactor;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.netty.NettyDrain;
import java.util.List;
import java.util.function.Consumer;
import reactor.netty.DisposableServer;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerConfig;
import reactor.netty.resources.LoopResources;

/**
 * What Reactor Netty's HTTP servers need of one shutdown. Immutable and thread-safe.
 *
 * <pre>{@code
 * HttpServer server = HttpServer.create().port(8080).route(...);
 * DisposableServer bound = ReactorDrain.of(shutdown).drained(server).bindNow();
 * bound.onDispose().block(); // its threads are daemons
 * }</pre>
 */
public final class ReactorDrain {
  private final NettyDrain drain;
  private final Consumer<? super DrainableServer> servers;

  /**
   * @param drain puts its handlers into every connection's pipeline
   * @param servers is given the role in the shutdown of each server when it is bound, before it
   *     accepts a connection; must not block
   */
  public ReactorDrain(NettyDrain drain, Consumer<? super DrainableServer> servers) {
    this.drain = drain;
    this.servers = servers;
  }

  /** Returns what Reactor Netty's servers need of {@code shutdown}. */
  public static ReactorDrain of(GracefulShutdown shutdown) {
    return new ReactorDrain(NettyDrain.of(shutdown), shutdown::server);
  }

  /**
   * Returns the same server, to be drained once it is bound: HTTP/1.1, h2c by prior knowledge, and
   * HTTP/2 by ALPN; an upgrade to h2c is ignored. Its event loops are ended as the last thing
   * before the process exits, those of Reactor Netty's own resources too, if it runs on them. Call
   * this last: {@code runOn} behind it would not be seen. With HTTP/3 the bind is refused.
   */
  public HttpServer drained(HttpServer server) {
    return server
        .doOnBind(ReactorDrain::refuseHttp3)
        .doOnBound(bound -> servers.accept(role(bound, server.configuration())));
  }

  private static void refuseHttp3(HttpServerConfig config) {
    if (List.of(config.protocols()).contains(HttpProtocol.HTTP3)) {
      throw new IllegalStateException(
          "ReactorDrain.drained(...) of an HttpServer with protocol(HTTP3): a QUIC connection"
              + " cannot be drained; allowed: HTTP11, H2C, H2");
    }
  }

  private DrainableServer role(DisposableServer bound, HttpServerConfig config) {
    LoopResources loops = config.loopResources();
    boolean isNative = config.isPreferNative();
    return drain.placingServer(
        "reactor-netty:" + bound.port(),
        bound.channel(),
        loops.onServerSelect(isNative),
        loops.onServer(isNative));
  }
}
