package io.lastcall.servlet;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.probe.ProbeKind;
import io.lastcall.probe.ProbeToken;
import io.lastcall.servlet.tomcat.TomcatFixture;
import io.lastcall.testing.PendingShutdown;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The probes through a real Tomcat, answered by the filter. */
@Timeout(120)
class ProbeAnswersTest {
  private static final String TOKEN = "0123456789abcdef";

  private final PendingShutdown shutdown = new PendingShutdown();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final TomcatFixture tomcat;

  ProbeAnswersTest() throws IOException {
    tomcat = new TomcatFixture(shutdown, ProbeToken.of(TOKEN));
  }

  @BeforeEach
  void start() throws Exception {
    tomcat.serveProbes().start();
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.probes.endConditions();
    assertEquals(0, tomcat.control.started(), "probes are no traffic");
    tomcat.close();
  }

  private HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + tomcat.port() + target));
  }

  private CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
    return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> got(CompletableFuture<HttpResponse<String>> response)
      throws Exception {
    return response.get(60, TimeUnit.SECONDS);
  }

  /** As that of Spring Security, which answers 401 to a kubelet. */
  @Test
  void readyz_applicationsSecurityRefusesAll_isAnsweredBeforeIt() throws Exception {
    TomcatFixture guarded = new TomcatFixture();
    guarded.serve("/orders", (request, response) -> response.getWriter().print("orders"));
    guarded.addFilter(
        "security", (request, response, chain) -> ((HttpServletResponse) response).sendError(401));
    guarded.serveProbes().start();
    try (RawClient raw = guarded.client()) {
      assertEquals(200, raw.exchange("/livez").status());
      assertEquals(200, raw.exchange("/readyz").status());
      assertEquals(200, raw.exchange("//readyz").status());
      assertEquals(401, raw.exchange("/orders").status());
    } finally {
      guarded.close();
    }
  }

  @Test
  void prestop_byPathOrHeader_isAnsweredWhenPropagationIsOver() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> answers =
        List.of(
            send(request("/prestop/" + TOKEN)),
            send(request("//prestop/" + TOKEN)),
            send(request("/prestop").header("X-Lastcall-Token", TOKEN)));
    await().until(() -> shutdown.preStops.get() == 3);
    assertTrue(answers.stream().noneMatch(CompletableFuture::isDone), "answered too early");

    shutdown.propagated.complete(null);

    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      assertEquals(200, got(answer).statusCode());
      assertEquals("endpoints have propagated\n", got(answer).body());
    }
  }

  @Test
  void prestop_withoutTheToken_isNotThere() throws Exception {
    assertEquals(404, got(send(request("/prestop"))).statusCode());
    assertEquals(404, got(send(request("/prestop/0123456789abcdeF"))).statusCode());
    assertEquals(
        404, got(send(request("/prestop").header("X-Lastcall-Token", "guess"))).statusCode());
    assertEquals(0, shutdown.preStops.get());
  }

  @Test
  void prestop_idleConnectionsAreClosed_isAnsweredAllTheSame() throws Exception {
    try (RawClient hook = tomcat.client();
        RawClient idle = tomcat.client()) {
      assertEquals(200, idle.exchange("/livez").status());
      hook.get("/prestop/" + TOKEN);
      await().until(() -> shutdown.preStops.get() == 1);
      tomcat.leave();
      tomcat.server.stopListening(TomcatFixture.limit());
      CompletableFuture<?> ended = tomcat.server.connectionsEnded().toCompletableFuture();
      assertTrue(idle.ended());
      assertFalse(ended.isDone(), "the hook's connection is owed its answer");
      assertEquals(0, tomcat.answering(), "the answer may wait for the end of DRAIN");

      shutdown.propagated.complete(null);

      assertEquals(200, hook.read().status());
      assertTrue(hook.ended());
      ended.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void prestop_clientGivesUp_holdsUpNobody() throws Exception {
    try (RawClient hook = tomcat.client()) {
      hook.get("/prestop/" + TOKEN);
      await().until(() -> shutdown.preStops.get() == 1);
      hook.reset();
    }
    tomcat.leave();
    shutdown.propagated.complete(null);
    assertEquals(200, got(send(request("/livez"))).statusCode());
    tomcat.server.stopListening(TomcatFixture.limit());
    tomcat.server.connectionsEnded().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  @Test
  void prestop_stillPending_holdsUpNoOtherProbe() throws Exception {
    CompletableFuture<HttpResponse<String>> hook = send(request("/prestop/" + TOKEN));
    await().until(() -> shutdown.preStops.get() == 1);
    assertEquals(200, got(send(request("/livez"))).statusCode());
    assertFalse(hook.isDone());
    shutdown.propagated.complete(null);
    assertEquals(200, got(hook).statusCode());
  }

  @Test
  void readyz_withACondition_namesIt() throws Exception {
    tomcat.probes.condition(ProbeKind.READINESS, "database", () -> Optional.of("no connection"));
    await().until(() -> got(send(request("/readyz"))).body().contains("no connection"));

    HttpResponse<String> text = got(send(request("/readyz")));
    assertEquals(503, text.statusCode());
    assertEquals(
        "[+]traffic ok\n[-]database failed: no connection\nreadyz check failed\n", text.body());
    HttpResponse<String> json = got(send(request("/readyz").header("Accept", "application/json")));
    String type = json.headers().firstValue("content-type").orElse("");
    assertTrue(type.startsWith("application/json"), type);
  }

  @Test
  void head_ofAnyProbe_hasTheLengthAndNoBody() throws Exception {
    try (RawClient raw = tomcat.client()) {
      raw.send("HEAD /readyz HTTP/1.1\r\nHost: test\r\n\r\n");
      Reply head = raw.readHead();
      assertEquals(200, head.status());
      assertEquals("3", head.header("content-length"));
      assertEquals("no-store", head.header("cache-control"));
      // What comes next is the next response's head, not a body.
      assertEquals("ok\n", raw.exchange("/livez").body());
    }
  }

  @Test
  void lameduck_postThenDelete_failsReadinessInBetween() throws Exception {
    HttpRequest.Builder lameduck = request("/lameduck/" + TOKEN);
    HttpResponse<String> get = got(send(lameduck.GET()));
    assertEquals(405, get.statusCode());
    assertEquals("POST, DELETE", get.headers().firstValue("allow").orElse(""));
    assertEquals(404, got(send(request("/lameduck").DELETE())).statusCode());

    assertEquals(200, got(send(lameduck.POST(BodyPublishers.ofString("why")))).statusCode());
    HttpResponse<String> red = got(send(request("/readyz")));
    assertEquals(503, red.statusCode());
    assertEquals("[-]traffic failed: out of service\nreadyz check failed\n", red.body());

    assertEquals(200, got(send(lameduck.DELETE())).statusCode());
    assertEquals(200, got(send(request("/readyz"))).statusCode());
  }
}
