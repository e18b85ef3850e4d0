package io.lastcall.servlet.websocket;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.TomcatFixture;
import io.lastcall.servlet.tomcat.LastcallProtocol;
import io.lastcall.servlet.tomcat.TomcatServer;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.websocket.server.WsContextListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tomcat's WebSocket, with the JDK's client. */
@Timeout(30)
class WebSocketSessionsTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private TomcatFixture tomcat;

  @BeforeEach
  void create() throws Exception {
    tomcat = new TomcatFixture();
    tomcat.context.addApplicationListener(WsContextListener.class.getName());
    WebSocketSessions sessions =
        new WebSocketSessions(
            tomcat.connectionControl.connections(), tomcat.server::currentConnectionEnded);
    tomcat.context.addServletContainerInitializer(
        (classes, context) -> {
          try {
            context.addListener(new EchoRegistration(sessions));
          } catch (RuntimeException e) {
            throw new IllegalStateException(e);
          }
        },
        null);
    tomcat.serve("/", (request, response) -> response.sendError(404));
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.close();
  }

  private Client connect() {
    return connect(tomcat.port());
  }

  private Client connect(int port) {
    Client listener = new Client();
    listener.socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create("ws://127.0.0.1:" + port + "/ws"), listener)
            .join();
    return listener;
  }

  @Test
  void session_open_isRegisteredAndNotInFlight() throws Exception {
    Client one = connect();
    one.socket().sendText("hello", true).join();
    assertEquals("hello", one.texts.take());
    tomcat.awaitCounted(1);
    assertEquals(1, tomcat.connectionControl.connections().open());
  }

  @Test
  void session_closedByTheClient_isDeregistered() {
    Client one = connect();
    await().until(() -> tomcat.connectionControl.connections().open() == 1);
    one.socket().sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    await().until(() -> tomcat.connectionControl.connections().open() == 0);
  }

  @Test
  void session_onAnotherDrainedConnector_isDeregistered() throws Exception {
    Connector other = new Connector(new LastcallProtocol());
    TomcatServer drained = new TomcatServer(other, tomcat.filter);
    opensAndEndsOn(other);
    assertEquals("tomcat:" + other.getLocalPort(), drained.name());
  }

  @Test
  void session_onAConnectorThatIsNotDrained_isDeregistered() throws Exception {
    opensAndEndsOn(new Connector());
  }

  private void opensAndEndsOn(Connector other) throws Exception {
    other.setPort(0);
    other.setProperty("address", "127.0.0.1");
    tomcat.tomcat.getService().addConnector(other);
    Client one = connect(other.getLocalPort());
    one.socket().sendText("hello", true).join();
    assertEquals("hello", one.texts.take());
    assertEquals(1, tomcat.connectionControl.connections().open());
    one.socket().sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    await().until(() -> tomcat.connectionControl.connections().open() == 0);
  }

  @Test
  void session_openedWhileLeaving_isUpgraded() throws Exception {
    tomcat.leave();
    Client one = connect();
    one.socket().sendText("hello", true).join();
    assertEquals("hello", one.texts.take());
  }

  @Test
  void session_drain_isNotWaitedFor() throws Exception {
    connect();
    tomcat.awaitCounted(1);
    tomcat.leave();
    tomcat.server.stopListening(TomcatFixture.limit());
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    tomcat.server.connectionsEnded().toCompletableFuture().get();
  }

  @Test
  void closeAll_manySessions_allReceive1001() {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      clients.add(connect());
    }
    assertTrue(tomcat.connectionControl.closeAll(Duration.ofMillis(200), TomcatFixture.limit()));
    for (Client each : clients) {
      assertEquals(1001, each.closed.join());
    }
    assertEquals(100L, tomcat.connectionControl.ended().get("websocket"));
  }

  @Test
  void session_openedWhileConnectionsAreClosed_isClosedAtOnce() {
    assertTrue(tomcat.connectionControl.closeAll(Duration.ZERO, TomcatFixture.limit()));
    assertEquals(1001, connect().closed.join());
    await().until(() -> tomcat.connectionControl.connections().open() == 0);
  }

  private static final class Client implements WebSocket.Listener {
    final BlockingQueue<String> texts = new LinkedBlockingQueue<>();
    final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private volatile @Nullable WebSocket socket;

    WebSocket socket() {
      return java.util.Objects.requireNonNull(socket);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
      texts.add(text.toString());
      from.request(1);
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      closed.complete(code);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      closed.completeExceptionally(error);
    }
  }

  /** Adds the endpoint when the context starts, as an application does. */
  private record EchoRegistration(WebSocketSessions sessions)
      implements jakarta.servlet.ServletContextListener {
    @Override
    public void contextInitialized(jakarta.servlet.ServletContextEvent event) {
      ServerContainer container =
          (ServerContainer) event.getServletContext().getAttribute(ServerContainer.class.getName());
      try {
        container.addEndpoint(
            ServerEndpointConfig.Builder.create(Echo.class, "/ws")
                .configurator(new Instances(sessions))
                .build());
      } catch (jakarta.websocket.DeploymentException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Instances extends ServerEndpointConfig.Configurator {
    private final WebSocketSessions sessions;

    Instances(WebSocketSessions sessions) {
      this.sessions = sessions;
    }

    @Override
    public <T> T getEndpointInstance(Class<T> type) {
      return type.cast(new Echo(sessions));
    }
  }

  private static final class Echo extends Endpoint {
    private final WebSocketSessions sessions;

    Echo(WebSocketSessions sessions) {
      this.sessions = sessions;
    }

    @Override
    public void onOpen(Session session, EndpointConfig config) {
      sessions.opened(session);
      session.addMessageHandler(
          String.class,
          (MessageHandler.Whole<String>)
              text -> session.getAsyncRemote().sendText(text, result -> {}));
    }

    @Override
    public void onClose(Session session, CloseReason reason) {
      sessions.closed(session);
    }
  }
}
