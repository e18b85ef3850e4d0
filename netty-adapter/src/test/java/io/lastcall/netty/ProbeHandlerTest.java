package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.testing.PendingShutdown;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Ticker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The probes on a port of their own, in the application's Netty. */
@Timeout(60)
final class ProbeHandlerTest {
  private static final String TOKEN = "0123456789abcdef";

  private final PendingShutdown shutdown = new PendingShutdown();
  private final GateControl control = new GateControl(Ticker.system());
  private final NettyDrain drain =
      new NettyDrain(
          control.gate(),
          new Probes(shutdown, ProbeToken.of(TOKEN), Ticker.system()),
          new ConnectionControl().connections());
  private final EventLoopGroup loops = Transport.NIO.eventLoops();
  private int port;

  @BeforeEach
  void start() throws Exception {
    Channel listener =
        new ServerBootstrap()
            .group(loops)
            .channel(Transport.NIO.listener())
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), drain.probeHandler());
                  }
                })
            .bind("127.0.0.1", 0)
            .sync()
            .channel();
    port = ((InetSocketAddress) listener.localAddress()).getPort();
  }

  @AfterEach
  void stop() throws Exception {
    loops.shutdownGracefully(0, 10, SECONDS).sync();
    assertEquals(0, control.started());
  }

  private String exchange(String request) throws Exception {
    try (RawClient client = new RawClient(port)) {
      client.send(request);
      return client.rest();
    }
  }

  private String get(String path) throws Exception {
    return exchange("GET " + path + " HTTP/1.1\r\nHost: pod\r\n\r\n");
  }

  @Test
  void get_aProbe_isAnsweredAndClosed() throws Exception {
    String answer = get("//readyz?verbose");
    assertTrue(answer.startsWith("HTTP/1.1 200 OK\r\n"), answer);
    assertTrue(answer.contains("\r\nconnection: close\r\n"), answer);
    assertTrue(answer.endsWith("\r\n\r\n[+]traffic ok\nreadyz check passed\n"), answer);
  }

  @Test
  void head_aProbe_hasNoBody() throws Exception {
    String answer = exchange("HEAD /readyz HTTP/1.1\r\nHost: pod\r\n\r\n");
    assertTrue(answer.contains("Content-Length: 3\r\n"), answer);
    assertTrue(answer.endsWith("\r\n\r\n"), answer);
  }

  @Test
  void prestop_isAnsweredWhenPropagationIsOver() throws Exception {
    try (RawClient client = new RawClient(port)) {
      client.get("/prestop/" + TOKEN);
      await().until(() -> shutdown.preStops.get() == 1);
      assertTrue(get("/livez").startsWith("HTTP/1.1 200 "), "held up by the hook");
      shutdown.propagated.complete(null);
      assertTrue(client.rest().endsWith("endpoints have propagated\n"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/orders", "/prestop", "/prestop/wrong"})
  void get_anythingElse_isNotFound(String path) throws Exception {
    assertTrue(get(path).startsWith("HTTP/1.1 404 "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\u0016\u0003\u0001\r\n\r\n",
        "GET\r\n\r\n",
        "GET /readyz HTTP/1.1\r\n: x\r\n\r\n"
      })
  void malformedRequest_isNoProbeAndTheServerGoesOn(String request) throws Exception {
    String answer = exchange(request);
    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
    assertTrue(get("/readyz").startsWith("HTTP/1.1 200 "));
  }

  @Test
  void hugeHeader_isNoProbeAndTheServerGoesOn() throws Exception {
    String huge = "GET /readyz HTTP/1.1\r\nX: " + "x".repeat(9_000) + "\r\n\r\n";
    String answer = exchange(huge);
    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
    assertTrue(get("/readyz").startsWith("HTTP/1.1 200 "));
  }
}
