package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.contract.FullListener;
import io.lastcall.servlet.contract.ServerContract;
import io.lastcall.servlet.websocket.Upgrading;
import io.lastcall.spi.FirstRequest;
import io.lastcall.testing.RawClient;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.AbstractEndpoint;
import org.apache.tomcat.util.net.Acceptor;
import org.apache.tomcat.util.net.NioEndpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TomcatServerTest extends ServerContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /** At its limit the acceptor accepts nothing: that is one connection. */
  @Override
  protected void startAcceptingNothing() throws Exception {
    container.connector.setProperty("maxConnections", "1");
    container.start();
  }

  @Override
  protected boolean isInNativeCode(Thread thread) {
    return isOfTheConnector(thread, "-Poller") || isOfTheConnector(thread, "-Acceptor");
  }

  @Override
  protected boolean isToEnd(Thread thread) {
    return isOfTheConnector(thread, "exec");
  }

  private static boolean isOfTheConnector(Thread thread, String part) {
    return thread.getName().startsWith("http-nio") && thread.getName().contains(part);
  }

  @Test
  void create_otherProtocol_isRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new TomcatServer(
                    new Connector("org.apache.coyote.http11.Http11Nio2Protocol"),
                    container.filter));
    assertSays(refused, "Http11Nio2Protocol", "LastcallProtocol");
  }

  /** A handler may open a WebSocket as a client, which is not its request's connection. */
  @Test
  void upgrading_inARequestThatIsNoUpgrade_isNone() throws Exception {
    container.serve(
        "/ask",
        (request, response) -> response.getWriter().print("upgrading " + Upgrading.connection()));
    container.start();
    try (RawClient client = container.client()) {
      assertEquals("upgrading null", client.exchange("/ask").body());
    }
  }

  @Test
  void create_tomcatsOwnHttp2RunsAlready_isRefused() throws Exception {
    Connector other = addConnector(new LastcallProtocol());
    other.addUpgradeProtocol(new Http2Protocol());
    container.start();
    IllegalStateException refused =
        assertThrows(IllegalStateException.class, () -> new TomcatServer(other, container.filter));
    assertSays(refused, "org.apache.coyote.http2.Http2Protocol", "LastcallHttp2Protocol");
  }

  @Test
  void create_connectorRunsAlready_isDrained() throws Exception {
    Connector other = addConnector(new LastcallProtocol());
    container.start();
    TomcatServer late = new TomcatServer(other, container.filter);
    late.stopListening(ContainerFixture.limit());
    late.connectionsEnded().toCompletableFuture().get();
    assertTrue(late.connections().isEmpty());
  }

  @Test
  void start_tomcatsOwnHttp2_isRefused() throws Exception {
    container.connector.addUpgradeProtocol(new Http2Protocol());
    assertRefused("org.apache.coyote.http2.Http2Protocol", "LastcallHttp2Protocol");
  }

  @Test
  void start_http2WithoutAsyncIo_isRefused() throws Exception {
    container.connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    container.connector.setProperty("useAsyncIO", "false");
    assertRefused("useAsyncIO=false", "true");
  }

  @Test
  void start_unixDomainSocket_isRefused(@TempDir Path folder) throws Exception {
    container.connector.setProperty("unixDomainSocketPath", folder.resolve("socket").toString());
    assertRefused("unixDomainSocketPath=" + folder, "allowed is none");
  }

  private void assertRefused(String value, String allowed) {
    // By default Tomcat logs what a connector fails with, and goes on without it.
    container.connector.setThrowOnFailure(true);
    Throwable cause = assertThrows(LifecycleException.class, container::start);
    while (!(cause instanceof IllegalStateException)) {
      cause = Objects.requireNonNull(cause.getCause());
    }
    assertSays(cause, value, allowed);
  }

  private static void assertSays(Throwable refused, String value, String allowed) {
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(value), message);
    assertTrue(message.contains(allowed), message);
  }

  /** Only who leaves waits for its client. */
  @Test
  void response_clientAskedForClose_connectionIsClosedAtOnce() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.send("GET /plain HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n");
      assertTrue(client.read().saysClose());
      assertTrue(client.ended());
      container.awaitConnections(0);
    }
  }

  @Test
  void stopListening_boundAndNotStarted_waitsForNobody() throws Exception {
    container.connector.init();
    assertStopsListeningAtOnce();
  }

  /** As where Tomcat is too old, or too new, to have the method that ends it. */
  @Test
  void stopListening_acceptorCannotBeTold_isNotWaitedFor() throws Exception {
    container.start();
    LastcallProtocol protocol = (LastcallProtocol) container.connector.getProtocolHandler();
    VarHandle field =
        MethodHandles.privateLookupIn(AbstractEndpoint.class, MethodHandles.lookup())
            .findVarHandle(AbstractEndpoint.class, "acceptor", Acceptor.class);
    Object known = field.getAndSet(protocol.endpoint(), new Untold<>(protocol.endpoint()));
    try {
      container.server.stopListening(ContainerFixture.limit());
      assertFalse(protocol.endpoint().isListening());
    } finally {
      field.set(protocol.endpoint(), known);
    }
  }

  @Test
  void stopListening_acceptFailsBehindOurOwnConnection_isDone() throws Exception {
    container.tomcat.init();
    LastcallProtocol protocol = (LastcallProtocol) container.connector.getProtocolHandler();
    VarHandle field =
        MethodHandles.privateLookupIn(NioEndpoint.class, MethodHandles.lookup())
            .findVarHandle(NioEndpoint.class, "serverSock", ServerSocketChannel.class);
    ServerSocketChannel listener = (ServerSocketChannel) field.get(protocol.endpoint());
    field.set(protocol.endpoint(), new FullListener(listener));
    container.start();
    container.server.stopListening(ContainerFixture.limit());
    assertFalse(listener.isOpen());
  }

  /** It closes the listener, and may be slow to end: Tomcat would warn that it cannot wake it. */
  @Test
  void pause_acceptorStillAtWorkBehindAClosedListener_isNotWarnedOf() throws Exception {
    replaceBy(new TomcatFixture(this::firstRequestWhenTold));
    container.start();
    List<String> said = new ArrayList<>();
    Logger log = Logger.getLogger(NioEndpoint.class.getName());
    Handler records = recording(said);
    log.addHandler(records);
    try (RawClient client = container.client()) {
      client.get("/plain");
      entered.await();
      Deadline soon = Deadline.after(Duration.ofMillis(50), Ticker.system());
      assertThrows(IOException.class, () -> container.server.stopListening(soon));
      container.connector.pause();
      goOn.countDown();
      assertEquals(List.of(), said);
    } finally {
      log.removeHandler(records);
    }
  }

  private FirstRequest firstRequestWhenTold() {
    ContainerFixture.block(entered, goOn);
    return new FirstRequest();
  }

  private static Handler recording(List<String> said) {
    return new Handler() {
      @Override
      public void publish(LogRecord line) {
        said.add(line.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
  }

  private static final class Untold<U> extends Acceptor<U> {
    Untold(AbstractEndpoint<?, U> endpoint) {
      super(endpoint);
    }

    @Override
    public void stopMillis(int wait) {
      throw new NoSuchMethodError("stopMillis");
    }
  }

  private Connector addConnector(ProtocolHandler protocol) {
    Connector added = new Connector(protocol);
    added.setPort(0);
    // Else Tomcat logs the failure instead.
    added.setThrowOnFailure(true);
    added.setProperty("address", "127.0.0.1");
    container.tomcat.getService().addConnector(added);
    return added;
  }

  @Test
  void protocolName_givenToAConnector_isAccepted() {
    Connector connector = new Connector(LastcallProtocol.class.getName());
    assertEquals("tomcat:-1", new TomcatServer(connector, container.filter).name());
  }
}
