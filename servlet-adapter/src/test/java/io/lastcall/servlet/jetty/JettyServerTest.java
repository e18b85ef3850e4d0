package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.connection.DrainableServer.Counting;
import io.lastcall.servlet.CoarseDrain;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.contract.FullListener;
import io.lastcall.servlet.contract.ServerContract;
import io.lastcall.testing.RawClient;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionLimit;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class JettyServerTest extends ServerContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  /** The acceptor stops behind the connection it may wait for. */
  @Override
  protected void startAcceptingNothing() throws Exception {
    container.start();
    container.connector.setAccepting(false);
  }

  @Override
  protected boolean isInNativeCode(Thread thread) {
    return thread.getName().startsWith(container.threads.getName())
        && (thread.getName().contains("acceptor") || isSelecting(thread));
  }

  private static boolean isSelecting(Thread thread) {
    return List.of(thread.getStackTrace()).stream()
        .anyMatch(frame -> frame.getClassName().contains("ManagedSelector"));
  }

  /** Jetty's pool, told to wait for nobody, leaves its idle threads to their idle timeout. */
  @Override
  protected boolean isToEnd(Thread thread) {
    return isInNativeCode(thread);
  }

  @Test
  void counting_applicationHasTheFilter_isInPlaceFromTheStartOn() throws Exception {
    assertEquals(Counting.UNKNOWN, container.server().counting());
    container.start();
    assertEquals(Counting.IN_PLACE, container.server().counting());
  }

  @Test
  void counting_applicationHasAnotherFilter_isMissing() throws Exception {
    JettyServer server = new JettyServer(container.connector, container.anotherFilter());
    assertEquals(Counting.UNKNOWN, server.counting());
    container.start();
    assertEquals(Counting.MISSING, server.counting());
  }

  @Test
  void start_jettysOwnHttp2_isRefused() throws Exception {
    JettyFixture other =
        new JettyFixture(new HttpConnectionFactory(), new HTTP2CServerConnectionFactory());
    assertRefusesJettysHttp2(other::start);
    other.close();
  }

  @Test
  void of_jettysOwnHttp2_drainsCoarsely() throws Exception {
    CoarseDrain.run(
        new JettyFixture(
            JettyServer::of, new HttpConnectionFactory(), new HTTP2CServerConnectionFactory()));
  }

  /** Nobody has said that it is to be drained. */
  @Test
  void create_jettysOwnHttp2RunsAlready_isRefused() throws Exception {
    LastcallConnector other =
        new LastcallConnector(
            container.jetty, new HttpConnectionFactory(), new HTTP2CServerConnectionFactory());
    container.jetty.addConnector(other);
    container.start();
    assertRefusesJettysHttp2(() -> new JettyServer(other, container.filter));
  }

  private static void assertRefusesJettysHttp2(Executable action) {
    IllegalStateException refused = assertThrows(IllegalStateException.class, action);
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("HTTP2CServerConnectionFactory"), message);
    assertTrue(message.contains("LastcallHttp2ConnectionFactory"), message);
  }

  @Test
  void stopListening_openAndNotStarted_waitsForNobody() throws Exception {
    container.connector.open();
    assertStopsListeningAtOnce();
  }

  private void assertServesWhatIsQueued() throws Exception {
    container.start();
    try (RawClient first = container.client();
        RawClient queued = container.client()) {
      first.exchange("/plain");
      queued.get("/plain");
      container.server.stopListening(ContainerFixture.limit());
      assertEquals("plain", queued.read().body());
    }
  }

  @Test
  void stopListening_asManyConnectionsAsAllowedAreOpen_servesWhatIsQueued() throws Exception {
    assumeTrue(JettyInternals.isThere("org.eclipse.jetty.server.NetworkConnectionLimit"));
    container.jetty.addBean(new NetworkConnectionLimit(1, container.connector));
    assertServesWhatIsQueued();
  }

  @Test
  @SuppressWarnings("removal")
  void stopListening_asManyConnectionsAsTheOlderLimitAllows_servesWhatIsQueued() throws Exception {
    container.jetty.addBean(new ConnectionLimit(1, container.connector));
    assertServesWhatIsQueued();
  }

  @Test
  void stopListening_acceptFailsBehindOurOwnConnection_isDone() throws Exception {
    ServerSocketChannel listener =
        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    container.connector.open(new FullListener(listener));
    container.start();
    container.server.stopListening(ContainerFixture.limit());
    assertFalse(listener.isOpen());
  }

  @Test
  void stop_requestStillRuns_isNoAnswerOfTheApplications() throws Exception {
    BlockingQueue<Thread> worker = new LinkedBlockingQueue<>();
    container.serve(
        "/endless",
        (request, response) -> {
          request.startAsync();
          worker.add(Thread.currentThread());
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/endless");
      awaitOut(worker.take());
      container.leave();
      container.server.stop(ContainerFixture.limit());

      RawClient.Reply reply = client.read();
      assertEquals(503, reply.status());
      assertEquals("1", reply.header("retry-after"));
      assertTrue(reply.saysClose());
    }
  }

  /** Of the request: as long as a thread is within it, Jetty tells it nothing. */
  private static void awaitOut(Thread worker) {
    await()
        .until(
            () ->
                List.of(worker.getStackTrace()).stream()
                    .noneMatch(frame -> frame.getClassName().contains("HttpChannelState")));
  }

  /** By default the pool waits for its threads, and interrupts them. */
  @Test
  void stop_requestStuckInAServlet_isNotInterrupted() throws Exception {
    BlockingQueue<Thread> worker = new LinkedBlockingQueue<>();
    container.serve(
        "/stuck",
        (request, response) -> {
          worker.add(Thread.currentThread());
          ContainerFixture.block(entered, goOn);
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/stuck");
      entered.await();
      container.server.stop(ContainerFixture.limit());
      assertTrue(worker.take().isAlive());
    }
  }

  @Test
  void accept_failsForOneConnection_isOwedNothing() throws Exception {
    replaceBy(new JettyFixture(ContainerFixture.failingOnce()));
    container.start();
    try (RawClient failed = container.client()) {
      assertTrue(failed.ended());
      container.drain().get();
    }
  }

  @Test
  void idleTimeout_noRequestComes_connectionEnds() throws Exception {
    container.connector.setIdleTimeout(50);
    container.start();
    try (RawClient client = container.client()) {
      assertTrue(client.ended());
    }
  }

  @Test
  void name_always_saysThePort() throws Exception {
    container.connector.setPort(8080);
    assertEquals("jetty:8080", container.server.name());
    container.connector.setPort(0);
    container.start();
    assertEquals("jetty:" + container.port(), container.server.name());
  }
}
