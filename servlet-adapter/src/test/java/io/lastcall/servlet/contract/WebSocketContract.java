package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.LongLivedConnection;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.WebSocketClient;
import io.lastcall.time.Deadline;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The container's WebSocket, with the JDK's client. */
public abstract class WebSocketContract<C extends ContainerFixture> extends ContainerContract<C> {
  /** 1001, as it is within a close frame. */
  private static final String GOING_AWAY = "\u0003\u00e9";

  /** A client's frames, masked by zeros (RFC 6455, section 5.2): 4,000 bytes, and 1001. */
  protected static final String TEXT = "\u0081\u00fe\u000f\u00a0\0\0\0\0" + "x".repeat(4000);

  private static final String CLOSE = "\u0088\u0082\0\0\0\0" + GOING_AWAY;

  protected static final int FRAMES = 5000;

  /** How many events there were. */
  protected final AtomicInteger heard = new AtomicInteger();

  /** At which event of a session its callback waits for {@link #goOn}. */
  protected volatile String holding = "";

  /** Returns sessions that learn of a connection's end from the server. */
  protected abstract WebSocketSessions sessions();

  protected abstract void add(ServerEndpointConfig endpoint);

  @BeforeEach
  void start() throws Exception {
    add(Echo.on("/ws", sessions(), this::hold));
    container.start();
  }

  protected final WebSocketClient connect() {
    return new WebSocketClient(container.port());
  }

  protected final long open() {
    return container.connectionControl.connections().open();
  }

  /** Returns a client that has opened a session, and reads nothing by itself. */
  protected final RawClient openRaw() throws IOException {
    RawClient client = container.client();
    client.openWebSocket("/ws");
    return client;
  }

  /** Fills the client's window and the server's buffers: not even a close frame leaves. */
  protected final void fill(RawClient client) throws IOException {
    for (int i = 0; i < FRAMES; i++) {
      client.send(TEXT);
    }
    await().until(() -> heard.get() == 2 + FRAMES);
  }

  protected final boolean closeAll(Duration window) {
    return container.connectionControl.closeAll(window, ContainerFixture.limit());
  }

  @Test
  void session_open_isRegisteredAndNotInFlight() throws Exception {
    assertEquals("hello", connect().exchange("hello"));
    assertEquals(1, open());
    // Not how many were counted: Jetty upgrades in front of every filter.
    container.awaitInFlight(0);
  }

  @Test
  void session_closedByTheClient_isDeregistered() {
    WebSocketClient one = connect();
    await().until(() -> open() == 1);
    one.close();
    await().until(() -> open() == 0);
  }

  @Test
  void session_openedWhileLeaving_isUpgraded() throws Exception {
    container.leave();
    assertEquals("hello", connect().exchange("hello"));
  }

  @Test
  void session_drain_isNeitherWaitedForNorEnded() throws Exception {
    WebSocketClient one = connect();
    await().until(() -> open() == 1);
    container.awaitInFlight(0);
    container.drain().get();
    assertEquals("still here", one.exchange("still here"));
  }

  /** Else nobody would close it: it is there when CLOSE_CONNECTIONS is over. */
  @Test
  void session_beingOpened_isWaitedFor() throws Exception {
    holding = Echo.OPENING;
    connect();
    entered.await();
    container.awaitInFlight(0);
    CompletableFuture<?> ended = container.drain();
    assertFalse(ended.isDone());
    goOn.countDown();
    ended.get();
    assertEquals(1, open());
  }

  @ParameterizedTest
  @ValueSource(strings = {Echo.REGISTERED, "hello"})
  void session_callbackThatTakesItsTime_isNotWaitedFor(String event) throws Exception {
    holding = event;
    connect().send("hello");
    entered.await();
    container.awaitInFlight(0);
    container.drain().get();
  }

  private void hold(String event) {
    heard.getAndIncrement();
    if (event.equals(holding)) {
      ContainerFixture.block(entered, goOn);
    }
  }

  @Test
  void closeAll_manySessions_allReceive1001AndTheirConnectionsEnd() {
    List<WebSocketClient> clients = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      clients.add(connect());
    }
    assertTrue(closeAll(Duration.ofMillis(200)));
    for (WebSocketClient each : clients) {
      assertEquals(1001, each.closed.join());
    }
    assertEquals(100L, container.connectionControl.ended().get("websocket"));
    container.awaitConnections(0);
  }

  /** Behind the close frame, and more than fits into buffers: as if it came to see that late. */
  @Test
  void closeAll_clientIsSending_isNotReset() throws Exception {
    container.leave();
    CompletableFuture<Boolean> closing;
    try (RawClient client = openRaw()) {
      await().until(() -> open() == 1);
      closing = CompletableFuture.supplyAsync(() -> closeAll(Duration.ZERO));
      client.until(GOING_AWAY);
      for (int i = 0; i < FRAMES; i++) {
        client.send(TEXT);
      }
      client.send(CLOSE).rest();
    }
    assertTrue(closing.join());
  }

  /** A phone without a network, say; this one is there, and sees what it is told. */
  @Test
  void closeAll_clientDoesNotAnswer_isGivenUpOn() throws Exception {
    container.leave();
    try (RawClient client = openRaw()) {
      await().until(() -> open() == 1);
      assertTrue(closeAll(Duration.ZERO));
      client.until(GOING_AWAY);
    }
    assertEquals(1L, container.connectionControl.ended().get("websocket"));
  }

  /** Not on Undertow, which reads no further itself then. */
  protected final void assertThatAFullClientHoldsUpNobody() throws Exception {
    container.leave();
    ManualTicker ticker = new ManualTicker();
    Deadline deadline = Deadline.after(Duration.ofHours(1), ticker);
    try (RawClient client = openRaw()) {
      fill(client);
      Background<Boolean> closing =
          Background.run(() -> container.connectionControl.closeAll(Duration.ZERO, deadline));
      ticker.awaitParked(closing.thread());
      ticker.advance(LongLivedConnection.ANSWER);
      assertTrue(closing.result());
    }
    assertEquals(1L, container.connectionControl.ended().get("websocket"));
  }

  @Test
  void session_openedWhileConnectionsAreClosed_isClosedAtOnce() {
    assertTrue(closeAll(Duration.ZERO));
    assertEquals(1001, connect().closed.join());
    await().until(() -> open() == 0);
  }
}
