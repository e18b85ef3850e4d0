package io.lastcall.servlet.tomcat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import jakarta.servlet.AsyncContext;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;

/** HTTP/2 in clear text, with the JDK's client. */
@Timeout(120)
class Http2Test {
  private final CountDownLatch entered = new CountDownLatch(20);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final AtomicInteger asyncCalls = new AtomicInteger();
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private final HttpClient client = HttpClient.newBuilder().version(Version.HTTP_2).build();
  private TomcatFixture tomcat;

  @BeforeEach
  void create() throws Exception {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    tomcat = new TomcatFixture(connector);
    tomcat.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    tomcat.serve(
        "/hold",
        (request, response) -> {
          entered.countDown();
          try {
            goOn.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          response.getOutputStream().write(new byte[100_000]);
        });
    tomcat.serve(
        "/async",
        (request, response) -> {
          asyncCalls.incrementAndGet();
          started.add(request.startAsync());
        });
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    goOn.countDown();
    tomcat.close();
  }

  private HttpRequest get(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + tomcat.port() + path)).build();
  }

  private HttpResponse<String> exchange(String path) throws Exception {
    return client.send(get(path), BodyHandlers.ofString());
  }

  private CompletableFuture<?> drain() throws Exception {
    tomcat.leave();
    tomcat.server.stopListening(TomcatFixture.limit());
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    return tomcat.server.connectionsEnded().toCompletableFuture();
  }

  /** The JDK's client closes at a GOAWAY before 24; from 24 on it waits for our FIN. */
  private void awaitClosedByAnOldClient() {
    if (Runtime.version().feature() < 24) {
      await().until(() -> tomcat.server.connections().isEmpty());
    }
  }

  @Test
  void response_leaving_carriesNoConnectionHeader() throws Exception {
    exchange("/plain");
    tomcat.leave();
    HttpResponse<String> response = exchange("/plain");
    assertEquals(Version.HTTP_2, response.version());
    assertEquals("plain", response.body());
    assertTrue(response.headers().firstValue("connection").isEmpty());
  }

  @Test
  void drain_idleConnection_endsByGoawayAndTheClientsClose() throws Exception {
    assertEquals(Version.HTTP_2, exchange("/plain").version());
    drain().get();
    await().until(() -> tomcat.server.connections().isEmpty());
  }

  @Test
  @EnabledForJreRange(minVersion = 24, disabledReason = "JDK-8335181: the client gives them up")
  void drain_streamsInFlight_areAllAnswered() throws Exception {
    exchange("/plain");
    List<CompletableFuture<HttpResponse<byte[]>>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(client.sendAsync(get("/hold"), BodyHandlers.ofByteArray()));
    }
    entered.await();
    CompletableFuture<?> ended = drain();
    assertFalse(ended.isDone());
    goOn.countDown();
    for (CompletableFuture<HttpResponse<byte[]>> call : calls) {
      assertEquals(100_000, call.get().body().length);
      assertEquals(Version.HTTP_2, call.get().version());
    }
    ended.get();
    tomcat.awaitCounted(21);
  }

  @Test
  @EnabledForJreRange(minVersion = 24, disabledReason = "JDK-8335181: the client gives it up")
  void drain_streamEndedByTheApplication_waitsForItsExchange() throws Exception {
    exchange("/plain");
    CompletableFuture<HttpResponse<String>> call =
        client.sendAsync(get("/async"), BodyHandlers.ofString());
    AsyncContext async = started.take();
    CompletableFuture<?> ended = drain();
    async.getResponse().getOutputStream().print("async");
    async.getResponse().getOutputStream().close();
    assertEquals("async", call.get().body());
    assertFalse(ended.isDone());
    async.complete();
    ended.get();
    tomcat.awaitCounted(2);
  }

  @Test
  void drain_streamResetByTheClient_isNotWaitedFor() throws Exception {
    exchange("/plain");
    AbstractProtocol<?> protocol = (AbstractProtocol<?>) tomcat.connector.getProtocolHandler();
    // The connection's own, behind the first response: then the stream's is the second.
    await().until(() -> protocol.getWaitingProcessorCount() == 1);
    CompletableFuture<HttpResponse<String>> call =
        client.sendAsync(get("/async"), BodyHandlers.ofString());
    AsyncContext async = started.take();
    // Not before Tomcat's thread has left the request: a reset then can make it forget the rest.
    await().until(() -> protocol.getWaitingProcessorCount() == 2);
    call.cancel(true);
    assertThrows(Exception.class, () -> writeForever(async));
    drain().get();
    // Tomcat serves a stream that was reset once more now and then, without Lastcall too.
    await().until(() -> tomcat.control.started() == 1 + asyncCalls.get());
    tomcat.awaitInFlight(0);
  }

  private static void writeForever(AsyncContext async) throws IOException {
    OutputStream out = async.getResponse().getOutputStream();
    while (true) {
      out.write(0);
      out.flush();
    }
  }

  @Test
  void response_newConnectionWhileLeaving_isServed() throws Exception {
    tomcat.leave();
    assertEquals("plain", exchange("/plain").body());
    assertEquals("plain", exchange("/plain").body());
  }

  private boolean closeIfIdleLeavesNone() {
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    return tomcat.server.connections().isEmpty();
  }

  @Test
  void closeIfIdle_stillServing_goesOnServing() throws Exception {
    exchange("/plain");
    tomcat.leave();
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    if (Runtime.version().feature() < 24) {
      // Told again: the answer may be read before the worker has let go of its connection.
      await().until(this::closeIfIdleLeavesNone);
    }
    assertEquals("plain", exchange("/plain").body());
  }

  @Test
  @EnabledForJreRange(minVersion = 24, disabledReason = "JDK-8335181: it drops unread responses")
  void closeIfIdle_streamsActive_waitsForTheirEnd() throws Exception {
    exchange("/plain");
    List<CompletableFuture<HttpResponse<byte[]>>> calls = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      calls.add(client.sendAsync(get("/hold"), BodyHandlers.ofByteArray()));
    }
    entered.await();
    tomcat.leave();
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    goOn.countDown();
    for (CompletableFuture<HttpResponse<byte[]>> call : calls) {
      assertEquals(100_000, call.get().body().length);
    }
    awaitClosedByAnOldClient();
  }
}
