package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawClient;
import io.lastcall.servlet.TomcatFixture;
import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.servlet.AsyncContext;
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
import org.eclipse.jetty.ee11.websocket.jakarta.server.config.JakartaWebSocketServletContainerInitializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jetty's WebSocket, with the JDK's client; and event streams. */
@Timeout(30)
class JettyWebSocketTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private final JettyFixture jetty = new JettyFixture();

  @BeforeEach
  void start() throws Exception {
    WebSocketSessions sessions =
        new WebSocketSessions(
            jetty.connectionControl.connections(), jetty.server::currentConnectionEnded);
    JakartaWebSocketServletContainerInitializer.configure(
        jetty.context,
        (servlets, container) ->
            container.addEndpoint(
                ServerEndpointConfig.Builder.create(Echo.class, "/ws")
                    .configurator(new Instances(sessions))
                    .build()));
    jetty.start();
  }

  @AfterEach
  void stop() throws Exception {
    jetty.stop();
  }

  private Client connect() {
    Client listener = new Client();
    listener.socket =
        client
            .newWebSocketBuilder()
            .buildAsync(URI.create("ws://127.0.0.1:" + jetty.port() + "/ws"), listener)
            .join();
    return listener;
  }

  private long open() {
    return jetty.connectionControl.connections().open();
  }

  @Test
  void session_open_isRegisteredAndNotInFlight() throws Exception {
    Client one = connect();
    one.socket().sendText("hello", true).join();
    assertEquals("hello", one.texts.take());
    assertEquals(1, open());
    assertEquals(0, jetty.inFlight());
  }

  @Test
  void session_closedByTheClient_isDeregistered() {
    Client one = connect();
    await().until(() -> open() == 1);
    one.socket().sendClose(WebSocket.NORMAL_CLOSURE, "").join();
    await().until(() -> open() == 0);
  }

  @Test
  void session_openedWhileLeaving_isUpgradedAllTheSame() throws Exception {
    jetty.leave();
    Client one = connect();
    one.socket().sendText("hello", true).join();
    assertEquals("hello", one.texts.take());
  }

  @Test
  void session_drain_isNotWaitedFor() throws Exception {
    Client one = connect();
    await().until(() -> open() == 1);
    jetty.drain().get();
    one.socket().sendText("still here", true).join();
    assertEquals("still here", one.texts.take());
  }

  @Test
  void closeAll_manySessions_allReceive1001AndTheirConnectionsEnd() {
    List<Client> clients = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      clients.add(connect());
    }
    assertTrue(jetty.connectionControl.closeAll(Duration.ofMillis(200), TomcatFixture.limit()));
    for (Client each : clients) {
      assertEquals(1001, each.closed.join());
    }
    assertEquals(100L, jetty.connectionControl.ended().get("websocket"));
    await().until(() -> jetty.server.connections().isEmpty());
  }

  @Test
  void session_openedWhileConnectionsAreClosed_isClosedAtOnce() {
    assertTrue(jetty.connectionControl.closeAll(Duration.ZERO, TomcatFixture.limit()));
    assertEquals(1001, connect().closed.join());
    await().until(() -> open() == 0);
  }

  @Test
  void sse_toldToClose_endsWithItsLastChunk() throws Exception {
    BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
    JettyFixture other = new JettyFixture();
    other.serve(
        "/sse",
        (request, response) -> {
          response.setContentType("text/event-stream");
          AsyncContext context = request.startAsync();
          context.setTimeout(0);
          response.getWriter().print("data: 1\n\n");
          response.flushBuffer();
          started.add(context);
        });
    other.start();
    try (RawClient events = other.client()) {
      events.get("/sse").readHead();
      assertEquals("data: 1\n\n", events.readChunk());
      started.take();
      other.awaitCounted(1);
      other.drain().get();
      assertTrue(other.connectionControl.closeAll(Duration.ZERO, TomcatFixture.limit()));
      assertEquals("", events.readChunk());
      assertTrue(events.ended());
      assertEquals(1L, other.connectionControl.ended().get("sse"));
    } finally {
      other.stop();
    }
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

  /** Public for Jetty. */
  public static final class Echo extends Endpoint {
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
