package io.lastcall.servlet.undertow;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.websocket.WebSocketSessions;
import io.undertow.server.DefaultByteBufferPool;
import io.undertow.websockets.jsr.WebSocketDeploymentInfo;
import jakarta.websocket.CloseReason;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Undertow's WebSocket, with the JDK's client. */
@Timeout(30)
class WebSocketTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private UndertowFixture undertow;

  @BeforeEach
  void create() throws Exception {
    undertow = new UndertowFixture();
    WebSocketSessions sessions =
        new WebSocketSessions(
            undertow.connectionControl.connections(), undertow.server::currentConnectionEnded);
    WebSocketDeploymentInfo webSockets =
        new WebSocketDeploymentInfo()
            .setBuffers(new DefaultByteBufferPool(false, 8192))
            .addEndpoint(
                ServerEndpointConfig.Builder.create(Echo.class, "/ws")
                    .configurator(new Instances(sessions))
                    .build());
    undertow.deployment.addServletContextAttribute(
        WebSocketDeploymentInfo.ATTRIBUTE_NAME, webSockets);
    undertow.start();
  }

  @AfterEach
  void stop() {
    undertow.close();
  }

  private Client connect() {
    Client listener = new Client();
    listener.socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create("ws://127.0.0.1:" + undertow.port() + "/ws"), listener)
            .join();
    return listener;
  }

  @Test
  void session_open_isRegisteredAndNotInFlight() throws Exception {
    Client one = connect();
    one.socket().sendText("hello", true).join();
    assertEquals("hello", one.texts.take());
    undertow.awaitCounted(1);
    assertEquals(1, undertow.connectionControl.connections().open());
  }

  @Test
  void session_closedByTheClient_isDeregistered() {
    Client one = connect();
    await().until(() -> undertow.connectionControl.connections().open() == 1);
    one.socket().sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    await().until(() -> undertow.connectionControl.connections().open() == 0);
  }

  @Test
  void session_drain_isNotWaitedFor() throws Exception {
    connect();
    undertow.awaitCounted(1);
    undertow.drain().get();
  }

  @Test
  void closeAll_manySessions_allReceive1001() {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      clients.add(connect());
    }
    assertTrue(
        undertow.connectionControl.closeAll(Duration.ofMillis(200), UndertowFixture.limit()));
    for (Client each : clients) {
      assertEquals(1001, each.closed.join());
    }
    assertEquals(100L, undertow.connectionControl.ended().get("websocket"));
  }

  @Test
  void session_openedWhileLeaving_isUpgraded() throws Exception {
    undertow.leave();
    Client one = connect();
    one.socket().sendText("hello", true).join();
    assertEquals("hello", one.texts.take());
  }

  @Test
  void session_openedWhileConnectionsAreClosed_isClosedAtOnce() {
    assertTrue(undertow.connectionControl.closeAll(Duration.ZERO, UndertowFixture.limit()));
    assertEquals(1001, connect().closed.join());
    await().until(() -> undertow.connectionControl.connections().open() == 0);
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
