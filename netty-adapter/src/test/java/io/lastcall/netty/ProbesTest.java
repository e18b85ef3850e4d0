package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.probe.ProbeKind;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.testing.PendingShutdown;
import io.lastcall.time.Ticker;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The probes through a real server, by the JDK's client, on both protocols. */
@Timeout(120)
final class ProbesTest {
  private static final String TOKEN = "0123456789abcdef";

  private final PendingShutdown shutdown = new PendingShutdown();
  private final Probes probes = new Probes(shutdown, ProbeToken.of(TOKEN), Ticker.system());
  private TestServer server;
  private HttpClient client;

  @BeforeEach
  void start() throws Exception {
    server = new TestServer(Transport.NIO, Loopback.server(), probes);
    client = HttpClient.newBuilder().sslContext(Loopback.client()).build();
  }

  @AfterEach
  void stop() throws Exception {
    probes.endConditions();
    assertEquals(0, server.control.started(), "probes are no traffic");
    server.close();
  }

  private HttpRequest.Builder request(HttpClient.Version version, String target) {
    return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + server.port + target))
        .version(version);
  }

  private CompletableFuture<HttpResponse<String>> send(HttpRequest.Builder request) {
    return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpResponse<String> got(CompletableFuture<HttpResponse<String>> response)
      throws Exception {
    return response.get(60, SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void prestop_byPathOrHeader_isAnsweredWhenPropagationIsOver(HttpClient.Version version)
      throws Exception {
    List<CompletableFuture<HttpResponse<String>>> answers =
        List.of(
            send(request(version, "/prestop/" + TOKEN)),
            send(request(version, "//prestop/" + TOKEN)),
            send(request(version, "/prestop").header("X-Lastcall-Token", TOKEN)));
    await().until(() -> shutdown.preStops.get() == 3);
    assertTrue(answers.stream().noneMatch(CompletableFuture::isDone), "answered too early");

    shutdown.propagated.complete(null);

    for (CompletableFuture<HttpResponse<String>> answer : answers) {
      assertEquals(version, got(answer).version());
      assertEquals(200, got(answer).statusCode());
      assertEquals("endpoints have propagated\n", got(answer).body());
    }
  }

  @ParameterizedTest
  @EnumSource
  void prestop_withoutTheToken_isNotThere(HttpClient.Version version) throws Exception {
    assertEquals(404, got(send(request(version, "/prestop"))).statusCode());
    assertEquals(404, got(send(request(version, "/prestop/0123456789abcdeF"))).statusCode());
    assertEquals(
        404,
        got(send(request(version, "/prestop").header("X-Lastcall-Token", "guess"))).statusCode());
    assertEquals(0, shutdown.preStops.get());
  }

  @ParameterizedTest
  @EnumSource
  void prestop_stillPending_holdsUpNoOtherProbe(HttpClient.Version version) throws Exception {
    CompletableFuture<HttpResponse<String>> hook = send(request(version, "/prestop/" + TOKEN));
    await().until(() -> shutdown.preStops.get() == 1);
    assertEquals(200, got(send(request(version, "/livez"))).statusCode());
    assertFalse(hook.isDone());
    shutdown.propagated.complete(null);
    assertEquals(200, got(hook).statusCode());
  }

  @ParameterizedTest
  @EnumSource
  void readyz_withACondition_namesIt(HttpClient.Version version) throws Exception {
    assertEquals(200, got(send(request(version, "/readyz"))).statusCode());
    probes.condition(ProbeKind.READINESS, "database", () -> Optional.of("no connection"));
    await().until(() -> got(send(request(version, "/readyz"))).body().contains("no connection"));

    HttpResponse<String> text = got(send(request(version, "/readyz")));
    assertEquals(503, text.statusCode());
    assertEquals(
        "[+]traffic ok\n[-]database failed: no connection\nreadyz check failed\n", text.body());
    HttpResponse<String> json =
        got(send(request(version, "/readyz").header("Accept", "application/json")));
    assertEquals("application/json", json.headers().firstValue("content-type").orElse(""));
    HttpResponse<String> head =
        got(send(request(version, "/livez").method("HEAD", BodyPublishers.noBody())));
    assertEquals("", head.body());
    assertEquals("3", head.headers().firstValue("content-length").orElse(""));
  }

  @ParameterizedTest
  @EnumSource
  void lameduck_postThenDelete_failsReadinessInBetween(HttpClient.Version version)
      throws Exception {
    HttpRequest.Builder lameduck = request(version, "/lameduck/" + TOKEN);
    HttpResponse<String> get = got(send(lameduck.GET()));
    assertEquals(405, get.statusCode());
    assertEquals("POST, DELETE", get.headers().firstValue("allow").orElse(""));
    assertEquals(404, got(send(request(version, "/lameduck").DELETE())).statusCode());

    assertEquals(200, got(send(lameduck.POST(BodyPublishers.noBody()))).statusCode());
    HttpResponse<String> red = got(send(request(version, "/readyz")));
    assertEquals(503, red.statusCode());
    assertEquals("[-]traffic failed: out of service\nreadyz check failed\n", red.body());

    assertEquals(200, got(send(lameduck.DELETE())).statusCode());
    assertEquals(200, got(send(request(version, "/readyz"))).statusCode());
  }
}
