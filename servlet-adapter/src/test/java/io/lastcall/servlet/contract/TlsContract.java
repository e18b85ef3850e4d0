package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.spi.FirstRequest;
import io.lastcall.testing.ManualTicker;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import io.lastcall.testing.TestKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same drain with TLS, and with HTTP/2 by ALPN. */
public abstract class TlsContract<C extends ContainerFixture> extends ContainerContract<C> {
  private static Path keys;
  protected static SSLContext trusting;
  private final ManualTicker ticker = new ManualTicker();

  /** Starts the container with TLS, by the key in a file of {@link TestKeys}'s. */
  protected abstract void start(Path keys) throws Exception;

  protected final FirstRequest firstRequest() {
    return new FirstRequest(FirstRequest.PATIENCE, ticker);
  }

  @BeforeAll
  static void makeKeys(@TempDir Path folder) throws Exception {
    keys = folder.resolve("keys.p12");
    TestKeys.make(keys);
    trusting = TestKeys.trust(keys);
  }

  @BeforeEach
  void startWithTls() throws Exception {
    start(keys);
  }

  private Socket open() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), container.port());
  }

  private SSLSocket newTls(Socket plain) throws IOException {
    return (SSLSocket)
        trusting.getSocketFactory().createSocket(plain, "127.0.0.1", container.port(), true);
  }

  private SSLSocket overTls(Socket plain) throws IOException {
    SSLSocket socket = newTls(plain);
    socket.startHandshake();
    return socket;
  }

  private RawClient connect() throws IOException {
    return connect(open());
  }

  /** A client that has shaken hands over {@code plain}. */
  protected final RawClient connect(Socket plain) throws IOException {
    return new RawClient(overTls(plain));
  }

  protected final boolean drainLeavesNoneOwed() throws Exception {
    return container.drain().isDone();
  }

  @Test
  void drain_idleConnection_endsByCloseNotify() throws Exception {
    try (RawClient client = connect()) {
      assertEquals("plain", client.exchange("/plain").body());
      await().until(this::drainLeavesNoneOwed);
      assertTrue(client.ended(), "without a close_notify the JDK's client would throw");
      assertEquals(1, container.server().connections().size(), "open until the peer ends it");
    }
    container.awaitConnections(0);
  }

  @Test
  void drain_handshakeDoneAndAboutToSend_isServed() throws Exception {
    assertServedBehindDrain(open());
  }

  @Test
  void drain_handshakeDoneLate_firstRequestIsAwaitedAnew() throws Exception {
    Socket plain = open();
    container.awaitConnections(1);
    ticker.advance(FirstRequest.PATIENCE);
    assertServedBehindDrain(plain);
  }

  /** By TLS 1.2, where the server knows before the client that the handshake is done. */
  private void assertServedBehindDrain(Socket plain) throws Exception {
    SSLSocket socket = newTls(plain);
    socket.setEnabledProtocols(new String[] {"TLSv1.2"});
    socket.startHandshake();
    try (RawClient client = new RawClient(socket)) {
      CompletableFuture<?> ended = container.drainBehind(() -> {});
      container.tellOnceMore();
      assertFalse(ended.isDone());
      assertLast(client.exchange("/plain"), "plain");
      ended.get();
    }
  }

  /** By TLS 1.3, where the client's part ends in what it sends second. */
  @Test
  void drain_handshakeHalfDone_isServed() throws Exception {
    AtomicBoolean hello = new AtomicBoolean(true);
    HeldBackSocket network =
        new HeldBackSocket(container.port(), length -> hello.getAndSet(false) ? length : 0);
    network.holdBack();
    try (RawClient client = connect(network)) {
      client.get("/plain");
      ticker.advance(FirstRequest.PATIENCE);
      assertAnsweredOnceLetGo(network, client);
    }
  }

  @Test
  void drain_handshakeDoneAndNoRequest_isNotWaitedFor() throws Exception {
    try (RawClient client = connect()) {
      awaitNoneOwedOnceOverdue();
      assertTrue(client.ended());
    }
  }

  /** The server may be a message of the handshake behind. */
  private void awaitNoneOwedOnceOverdue() {
    await()
        .until(
            () -> {
              ticker.advance(FirstRequest.PATIENCE);
              return drainLeavesNoneOwed();
            });
  }

  @Test
  void drain_connectedWithoutHello_isNotWaitedFor() throws Exception {
    try (RawClient client = container.client()) {
      container.awaitConnections(1);
      ticker.advance(FirstRequest.PATIENCE);
      await().until(this::drainLeavesNoneOwed);
      assertTrue(client.ended());
    }
  }

  @Test
  void drain_requestRunning_isAnsweredFirst() throws Exception {
    try (RawClient client = connect()) {
      client.get("/hold");
      entered.await();
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      goOn.countDown();
      assertLast(client.read(), "held");
      assertTrue(client.ended());
      ended.get();
    }
  }

  /** It cannot say close. */
  @Test
  void drain_headHasLeftBefore_endsBehindTheResponse() throws Exception {
    try (RawClient client = connect()) {
      client.get("/flush").readHead();
      assertEquals("first", client.readChunk());
      CompletableFuture<?> ended = container.drain();
      goOn.countDown();
      assertEquals("held", client.readChunk());
      assertEquals("", client.readChunk());
      assertTrue(client.ended());
      ended.get();
    }
  }

  @Test
  void drain_requestInTheKernelsBuffer_isAnswered() throws Exception {
    try (RawClient client = connect()) {
      assertEquals("plain", client.exchange("/plain").body());
      CompletableFuture<?> ended = container.drainBehind(() -> client.get("/plain"));
      assertLast(client.read(), "plain");
      ended.get();
    }
  }

  private void assertAnsweredOnceLetGo(HeldBackSocket network, RawClient client) throws Exception {
    CompletableFuture<?> ended = container.drain();
    container.tellOnceMore();
    assertFalse(ended.isDone());
    network.letGo();
    assertLast(client.read(), "plain");
    ended.get();
  }

  private static void assertLast(Reply reply, String body) {
    assertEquals(body, reply.body());
    assertTrue(reply.saysClose());
  }

  @Test
  void drain_http2ByAlpn_isAnsweredAndEnds() throws Exception {
    HttpClient client =
        HttpClient.newBuilder().version(Version.HTTP_2).sslContext(trusting).build();
    URI uri = URI.create("https://127.0.0.1:" + container.port() + "/hold");
    CompletableFuture<HttpResponse<String>> call =
        client.sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    entered.await();
    goOn.countDown();
    assertEquals(Version.HTTP_2, call.get().version());
    assertEquals("held", call.get().body());
    container.drain().get();
    container.awaitConnections(0);
  }
}
