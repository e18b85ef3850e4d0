package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.RawClient;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The connection that a listener's end makes to itself is no client's. */
@Timeout(120)
final class OwnConnectionTest {
  @ParameterizedTest
  @EnumSource
  void stopListening_neverServed_setsUpNoPipeline(Transport transport) throws Exception {
    transport.assumeAvailable();
    TestServer server = new TestServer(transport, null);
    server.server.stopListening(TestServer.soon());
    server.close();

    assertEquals(0, server.setUp.get());
  }

  @ParameterizedTest
  @EnumSource
  void stopListening_clientBeforeIt_isServed(Transport transport) throws Exception {
    transport.assumeAvailable();
    TestServer server = new TestServer(transport, null);
    try (RawClient client = server.connect()) {
      server.server.stopListening(TestServer.soon());
      client.get("/fast");

      client.read();
      assertEquals(1, server.setUp.get());
    } finally {
      server.close();
    }
  }

  /** io_uring accepts on its own. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IO_URING")
  void listenerEnds_clientIsQueuedBehindOurs_isServed(Transport transport) throws Exception {
    transport.assumeAvailable();
    TestServer server = new TestServer(transport, null);
    try (SocketChannel own = SocketChannel.open()) {
      own.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      server
          .listener
          .pipeline()
          .get(Accepts.class)
          .endWith(own.getLocalAddress(), TestServer.soon());
      CountDownLatch release = TestServer.block(server.bosses);
      int port = ((InetSocketAddress) server.listener.localAddress()).getPort();
      own.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      try (RawClient late = server.connect()) {
        release.countDown();
        assertEquals(200, late.exchange("/fast").status());
      }
    } finally {
      server.close();
    }
  }

  /** Whoever came in a moment in which it is closed and still listens would be reset. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "IO_URING")
  void stopListening_listenerIsClosed_listensNoMore(Transport transport) throws Exception {
    transport.assumeAvailable();
    TestServer server = new TestServer(transport, null);
    CompletableFuture<Boolean> connected = new CompletableFuture<>();
    server.listener.closeFuture().addListener(closed -> connected.complete(connects(server)));
    server.server.stopListening(TestServer.soon());
    server.close();

    assertEquals(false, connected.join());
  }

  private static boolean connects(TestServer server) throws Exception {
    try {
      server.connect().close();
      return true;
    } catch (ConnectException refused) {
      return false;
    }
  }

  @ParameterizedTest
  @EnumSource
  void stopListening_applicationAcceptsNoMore_queuedClientsAreServed(Transport transport)
      throws Exception {
    transport.assumeAvailable();
    TestServer server = new TestServer(transport, null);
    Channel listener = server.listener;
    listener.eventLoop().submit(() -> listener.config().setAutoRead(false)).sync();
    try (RawClient first = server.connect();
        RawClient second = server.connect()) {
      server.server.stopListening(TestServer.soon());

      assertEquals(200, first.exchange("/fast").status());
      assertEquals(200, second.exchange("/fast").status());
    } finally {
      server.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void stopListening_listenerClosedByThen_readsNoMoreAndDoesNotWait(Transport transport)
      throws Exception {
    transport.assumeAvailable();
    TestServer server = new TestServer(transport, null);
    ClosesBehindRead closing = new ClosesBehindRead();
    server.listener.pipeline().addLast(closing);
    server.server.stopListening(TestServer.soon());
    server.close();

    assertEquals(List.of(), closing.failures);
  }

  private static final class ClosesBehindRead extends ChannelInboundHandlerAdapter {
    final List<Throwable> failures = new CopyOnWriteArrayList<>();

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      ctx.channel().close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      failures.add(cause);
    }
  }
}
