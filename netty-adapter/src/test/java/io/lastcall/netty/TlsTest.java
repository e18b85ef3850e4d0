package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.RawClient;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
final class TlsTest {
  private TestServer server;
  private SSLContext trusting;

  @BeforeEach
  void start() throws Exception {
    server = new TestServer(Transport.NIO, Loopback.server());
    trusting = Loopback.client();
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    assertEquals(0, server.inFlight());
  }

  /** Without a close_notify, {@code SSLSocket} fails the read instead of ending it. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void closingResponse_closeNotifyIsSent(String version) throws Exception {
    try (RawClient client = connect(version)) {
      client.get("/hold");
      server.awaitHeld();
      server.leave();
      server.answerHeld();

      assertTrue(client.read().saysClose());
      assertEquals("", client.rest());
      server.server.connectionsEnded().toCompletableFuture().get(60, SECONDS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void closeIfIdle_closeNotifyIsSent(String version) throws Exception {
    try (RawClient client = connect(version)) {
      client.exchange("/fast");
      server.leave();
      server.closeIdle();

      assertEquals("", client.rest());
      server.server.connectionsEnded().toCompletableFuture().get(60, SECONDS);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void closeIfIdle_handshakeLongOverAndNoRequest_isNotWaitedFor(String version) throws Exception {
    server.setPatience(Duration.ZERO);
    try (RawClient client = connect(version)) {
      server.awaitConnection();
      server.leave();
      server.closeIdle();
      server.awaitChecked();
      client.get("/fast");

      assertEquals("", client.rest());
    }
  }

  /** Python's asyncio waits for the server's before it closes its socket. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void closeIfIdle_peerHasSentCloseNotifyAndNoFin_isEnded(String version) throws Exception {
    try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), server.port)) {
      SSLSocket socket =
          (SSLSocket) trusting.getSocketFactory().createSocket(plain, "", server.port, false);
      RawClient client = shakenHands(socket, version);
      client.exchange("/fast");
      socket.shutdownOutput();
      server.leave();
      server.closeIdle();

      server.server.connectionsEnded().toCompletableFuture().get(60, SECONDS);
    }
  }

  /** By an engine of OpenSSL that reads behind its own close_notify; Reactor Netty closes then. */
  @Test
  void closedByUs_whatComesPassesForCloseNotify_peerIsNotReset() throws Exception {
    try (RawClient client = connect("TLSv1.3")) {
      client.get("/hold");
      server.awaitHeld();
      Channel channel = server.held.element();
      channel.pipeline().addLast(new ClosesAtCloseNotify());
      server.leave();
      server.answerHeld();
      server.server.connectionsEnded().toCompletableFuture().get(60, SECONDS);
      ChannelHandlerContext tls = channel.pipeline().context(SslHandler.class);
      channel
          .eventLoop()
          .submit(() -> tls.fireUserEventTriggered(SslCloseCompletionEvent.SUCCESS))
          .sync();

      assertTrue(channel.isOpen());
      assertTrue(client.read().saysClose());
      assertEquals("", client.rest());
    }
  }

  private static final class ClosesAtCloseNotify extends ChannelInboundHandlerAdapter {
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event == SslCloseCompletionEvent.SUCCESS) {
        ctx.close();
      }
    }
  }

  @Test
  void peerThatTakesNoCloseNotify_isClosedAfterTheLinger() throws Exception {
    try (RawClient client = connect("TLSv1.3")) {
      client.get("/hold");
      server.awaitHeld();
      Channel channel = server.held.element();
      channel.pipeline().addFirst(new FullSocket());
      channel.eventLoop().submit(() -> ConnectionEnd.begin(channel)).sync();

      assertTrue(channel.closeFuture().await(60, SECONDS));
    }
  }

  /** Takes no byte any more. */
  private static final class FullSocket extends ChannelOutboundHandlerAdapter {
    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      ReferenceCountUtil.release(message);
    }
  }

  private RawClient connect(String version) throws Exception {
    SSLSocket socket =
        (SSLSocket)
            trusting.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port);
    return shakenHands(socket, version);
  }

  private static RawClient shakenHands(SSLSocket socket, String version) throws IOException {
    socket.setEnabledProtocols(new String[] {version});
    socket.startHandshake();
    return new RawClient(socket);
  }
}
