package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.TestPermit;
import io.lastcall.micrometer.ShutdownMetrics;
import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.work.Work;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The metrics as those who collect them get them. */
class MetricsTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

  @AfterEach
  void stopServers() {
    servers.forEach(server -> server.stop(0));
  }

  /** A server on loopback that answers every request with what {@code answer} makes of its body. */
  private URI serve(Function<byte[], String> answer) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body =
              answer
                  .apply(exchange.getRequestBody().readAllBytes())
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
          }
        });
    server.start();
    servers.add(server);
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/v1/metrics");
  }

  private static String scrape(URI endpoint) throws IOException, InterruptedException {
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(endpoint).build(), BodyHandlers.ofString())
        .body();
  }

  private static void assertSample(String scrape, String sample) {
    assertTrue(
        scrape.lines().anyMatch(sample::equals),
        () -> "Not there: " + sample + "\nbut:\n" + scrape);
  }

  private PrometheusMeterRegistry prometheus() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    new ShutdownMetrics(harness.shutdown()).bindTo(registry);
    return registry;
  }

  @Test
  void prometheus_beforeTheTrigger_scrapesWhatIsThere() throws Exception {
    harness.install();
    PrometheusMeterRegistry registry = prometheus();
    TestPermit permit = harness.enter("GET /orders");
    assertTrue(harness.enter("GET /other").release());
    harness.shutdown().connections().register(new Closing("websocket"));
    Work mail = harness.shutdown().work("mail");
    mail.begin("order 1").close();
    Work.Unit open = mail.begin("order 2");
    harness.shutdown().sessions("mcp").open().orElseThrow();
    String scrape = scrape(serve(body -> registry.scrape()));

    assertSample(scrape, "lastcall_state{state=\"serving\"} 1.0");
    assertSample(scrape, "lastcall_state{state=\"drain\"} 0.0");
    assertSample(scrape, "lastcall_ready 1.0");
    assertSample(scrape, "lastcall_inflight_requests 1.0");
    assertSample(scrape, "lastcall_started_requests_total 2.0");
    assertSample(scrape, "lastcall_finished_requests_total 1.0");
    assertSample(scrape, "lastcall_open_connections{kind=\"websocket\"} 1.0");
    assertSample(scrape, "lastcall_open_sessions{kind=\"mcp\"} 1.0");
    assertSample(scrape, "lastcall_work_open_units{work=\"mail\"} 1.0");
    assertSample(scrape, "lastcall_work_finished_units_total{work=\"mail\"} 1.0");
    assertSample(scrape, "lastcall_idle 0.0");
    open.close();
    assertSample(scrape, "lastcall_last_arrival_seconds NaN");
    assertSample(scrape, "lastcall_budget_left_seconds 29.0");
    assertSample(scrape, "lastcall_propagation_delay_seconds 15.0");
    assertSample(scrape, "lastcall_shutdowns_total{outcome=\"clean\"} 0.0");
    assertTrue(scrape.contains("# HELP lastcall_inflight_requests Requests in flight\n"), scrape);
    assertTrue(permit.release());
  }

  @Test
  void prometheus_duringAndAfterAShutdown_scrapesPhasesStepsAndOutcome() throws Exception {
    harness.builder().step(Phase.DRAIN, "consumers", harness.event("stopped"));
    harness.install();
    PrometheusMeterRegistry registry = prometheus();
    URI endpoint = serve(body -> registry.scrape());
    Closing socket = new Closing("websocket");
    socket.register(harness);
    new Closing("websocket").register(harness).closed();
    harness.shutdown().sessions("mcp").open().orElseThrow().close();
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    harness.ticker.advanceTo(Duration.ofMillis(6_200));
    assertTrue(harness.enter("GET /orders").release());
    String during = scrape(endpoint);
    harness.passKeepServing();
    harness.ticker.awaitParked("lastcall-closer");
    harness.ticker.advance(Duration.ofMillis(2)); // the pace of one connection
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    String after = scrape(endpoint);

    assertSample(during, "lastcall_state{state=\"keep_serving\"} 1.0");
    assertSample(during, "lastcall_last_arrival_seconds 6.2");
    assertSample(during, "lastcall_budget_left_seconds 22.8");
    assertSample(after, "lastcall_ready 0.0");
    assertSample(after, "lastcall_state{state=\"exit\"} 1.0");
    assertSample(
        after, "lastcall_phase_seconds_sum{outcome=\"completed\",phase=\"keep_serving\"} 15.0");
    assertSample(
        after,
        "lastcall_step_seconds_count{outcome=\"completed\",phase=\"drain\",step=\"consumers\"} 1");
    assertSample(
        after, "lastcall_closed_connections_total{cause=\"shutdown\",kind=\"websocket\"} 1.0");
    assertSample(
        after, "lastcall_closed_connections_total{cause=\"itself\",kind=\"websocket\"} 1.0");
    assertSample(after, "lastcall_shutdowns_total{outcome=\"clean\"} 1.0");
  }

  @Test
  void otlp_closedAtTheEnd_pushesTheOutcomeBeforeTheExit() throws Exception {
    List<String> pushes = new CopyOnWriteArrayList<>();
    URI receiver =
        serve(
            body -> {
              pushes.add(new String(body, StandardCharsets.ISO_8859_1));
              return "";
            });
    Map<String, String> settings =
        Map.of("otlp.url", receiver.toString(), "otlp.step", "1h", "otlp.compressionMode", "off");
    OtlpMeterRegistry registry = new OtlpMeterRegistry(settings::get, Clock.SYSTEM);
    harness.install();

    new ShutdownMetrics(harness.shutdown()).closeAtEnd().bindTo(registry);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());

    // The process has ended: what is here now was here in time.
    assertTrue(registry.isClosed());
    assertFalse(pushes.isEmpty());
    String last = pushes.get(pushes.size() - 1);
    for (String name : List.of("lastcall.shutdowns", "lastcall.phase", "lastcall.budget.left")) {
      assertTrue(last.contains(name), name);
    }
    assertTrue(last.contains("clean"), "outcome");
  }

  @Test
  void documents_dashboardAndAlerts_nameOnlyMetricsThatExist() throws Exception {
    harness.builder().step(Phase.DRAIN, "consumers", harness.event("stopped"));
    harness.install();
    PrometheusMeterRegistry registry = prometheus();
    new Closing("websocket").register(harness).closed();
    harness.shutdown().sessions("mcp").open().orElseThrow().close();
    harness.shutdown().work("mail").begin("order 1").close();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    Set<String> exported =
        registry
            .scrape()
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(line -> line.split("[{ ]", 2)[0])
            .collect(Collectors.toSet());

    Path docs = Path.of("..", "..", "docs");
    for (String file : List.of("metrics.md", "grafana-dashboard.json", "prometheus-alerts.yaml")) {
      Set<String> named = names(Files.readString(docs.resolve(file)));
      assertTrue(named.size() > 3, file);
      named.removeAll(exported);
      assertEquals(Set.of(), named, file + " names what does not exist");
    }
    exported.removeIf(name -> name.endsWith("_max"));
    exported.removeAll(names(Files.readString(docs.resolve("metrics.md"))));
    assertEquals(Set.of(), exported, "not documented");
  }

  private static Set<String> names(String text) {
    return Pattern.compile("lastcall_[a-z_]+")
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void bindTo_twiceToOneRegistry_recordsOnce() {
    harness.install();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ShutdownMetrics metrics = new ShutdownMetrics(harness.shutdown());
    metrics.bindTo(registry);
    metrics.bindTo(registry);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(1, registry.get("lastcall.shutdowns").tag("outcome", "clean").counter().count());
    assertEquals(1, registry.get("lastcall.phase").tag("phase", "drain").timer().count());
  }

  @Test
  void unbind_removesItsOwnMetersAndAddsNoneLater() throws Exception {
    harness.install();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Counter others = registry.counter("lastcall.orders");
    ShutdownMetrics metrics = new ShutdownMetrics(harness.shutdown());
    metrics.bindTo(registry);
    new Closing("websocket").register(harness).closed();
    harness.shutdown().sessions("mcp").open().orElseThrow().close();
    assertTrue(registry.getMeters().size() > 20);

    metrics.unbind();
    metrics.unbind();
    new Closing("event-stream").register(harness).closed();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(List.of(others), registry.getMeters());
  }

  @Test
  void unbind_fromTwoRegistriesOneFails_theOtherIsLetGo() {
    harness.install();
    SimpleMeterRegistry failing =
        new SimpleMeterRegistry() {
          @Override
          public @Nullable Meter remove(Meter.Id id) {
            throw new IllegalStateException("not now");
          }
        };
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ShutdownMetrics metrics = new ShutdownMetrics(harness.shutdown());
    metrics.bindTo(failing);
    metrics.bindTo(registry);
    metrics.unbind();
    assertEquals(List.of(), registry.getMeters());
  }

  @Test
  void unbind_registryThatNobodyElseHolds_isCollected() {
    harness.install();
    ShutdownMetrics metrics = new ShutdownMetrics(harness.shutdown());
    new Closing("websocket").register(harness);
    WeakReference<Object> registry = bindAndUnbind(metrics);
    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return registry.get() == null;
            });
    // Both are held until here.
    metrics.unbind();
    assertTrue(harness.shutdown().phase().isEmpty());
  }

  /** In a frame of its own, which keeps nothing alive. */
  private static WeakReference<Object> bindAndUnbind(ShutdownMetrics metrics) {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    metrics.bindTo(registry);
    metrics.unbind();
    return new WeakReference<>(registry);
  }

  @Test
  void gauges_ofAShutdownThatNobodyElseHolds_haveValuesBehindAGarbageCollection() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    WeakReference<Object> canary = bindAndForget(registry);
    Awaitility.await()
        .until(
            () -> {
              System.gc();
              return canary.get() == null;
            });
    assertSample(registry.scrape(), "lastcall_inflight_requests 0.0");
    assertSample(registry.scrape(), "lastcall_open_connections{kind=\"websocket\"} 1.0");
    assertSample(registry.scrape(), "lastcall_started_requests_total 0.0");
  }

  /** Returns what is collected no earlier than all that is held here alone. */
  private static WeakReference<Object> bindAndForget(PrometheusMeterRegistry registry) {
    Harness forgotten = new Harness();
    GracefulShutdown shutdown = forgotten.install();
    new ShutdownMetrics(shutdown).bindTo(registry);
    shutdown.connections().register(new Closing("websocket"));
    shutdown.uninstall();
    return new WeakReference<>(new Object());
  }

  /** Closes as soon as it is told to. */
  private static final class Closing implements LongLivedConnection {
    private final String kind;
    private final List<Registration> registration = new CopyOnWriteArrayList<>();

    Closing(String kind) {
      this.kind = kind;
    }

    Registration register(Harness harness) {
      registration.add(harness.shutdown().connections().register(this));
      return registration.get(0);
    }

    @Override
    public String kind() {
      return kind;
    }

    @Override
    public void close() {
      registration.forEach(Registration::closed);
    }
  }
}
