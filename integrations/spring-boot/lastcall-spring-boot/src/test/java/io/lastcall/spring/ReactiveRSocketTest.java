package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.rsocket.RSocketApplication;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.messaging.rsocket.RSocketRequester;

/** Spring Boot's RSocket server, in a JVM of its own, with real clients. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("all")
class ReactiveRSocketTest {
  private static final Pattern PORT = Pattern.compile("RSocket started on port (\\d+)");
  private static final int IN_FLIGHT = 20;
  private static final int LATER = 46;

  private static Service start(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--spring.main.web-application-type=none");
    all.add("--spring.rsocket.server.port=0");
    Service service = Service.start(RSocketApplication.class, all.toArray(String[]::new));
    service.awaitLine("readiness ACCEPTING_TRAFFIC");
    return service;
  }

  private static RSocketRequester connect(Service service, String transport) {
    Matcher port = PORT.matcher(service.awaitLine("RSocket started"));
    assertTrue(port.find());
    String address = "127.0.0.1:" + port.group(1);
    return transport.equals("tcp")
        ? RSocketRequester.builder().tcp("127.0.0.1", Integer.parseInt(port.group(1)))
        : RSocketRequester.builder().websocket(URI.create("ws://" + address));
  }

  private static CompletableFuture<String> slow(RSocketRequester client, String order) {
    return client
        .route("slow")
        .data(order)
        .retrieveMono(String.class)
        .timeout(Duration.ofSeconds(60))
        .toFuture();
  }

  /** Returns why each call failed, if it did. */
  private static List<String> failures(List<CompletableFuture<String>> calls) {
    return calls.stream()
        .map(call -> call.handle((answer, failure) -> failure))
        .map(CompletableFuture::join)
        .flatMap(
            failure ->
                failure == null
                    ? java.util.stream.Stream.of()
                    : java.util.stream.Stream.of(failure.toString()))
        .toList();
  }

  /** In flight, and while routers learn: on an old connection, and each on a new one. */
  private static List<CompletableFuture<String>> callsAroundSigterm(
      Service service, String transport) throws Exception {
    RSocketRequester client = connect(service, transport);
    List<CompletableFuture<String>> calls = new CopyOnWriteArrayList<>();
    IntStream.range(0, IN_FLIGHT).forEach(i -> calls.add(slow(client, "first" + i)));
    Awaitility.await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> service.count("slow began first"), began -> began == IN_FLIGHT);
    service.terminate();
    service.awaitLine("Shutdown begun by");
    for (int i = 0; i < LATER; i++) {
      calls.add(slow(i % 2 == 0 ? client : connect(service, transport), "later" + i));
    }
    return calls;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp", "websocket"})
  void sigterm_callsInFlightAndLaterOnes_noneFails(String transport) throws Exception {
    try (Service service =
        start(
            "--spring.rsocket.server.transport=" + transport, "--lastcall.propagation-delay=5s")) {
      List<CompletableFuture<String>> calls = callsAroundSigterm(service, transport);
      assertEquals(IN_FLIGHT + LATER, calls.size());
      assertEquals(List.of(), failures(calls), service::output);
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  @Test
  void sigterm_withoutTheLibrary_callsInFlightFail() throws Exception {
    try (Service service = start("--lastcall.enabled=false")) {
      RSocketRequester client = connect(service, "tcp");
      CompletableFuture<String> call = slow(client, "first");
      service.awaitLine("slow began first");
      service.terminate();
      assertEquals(1, failures(List.of(call)).size());
      assertEquals(143, service.awaitExit(), service::output);
    }
  }

  @Test
  void sigterm_finiteStreamAndFireAndForget_areFinished_andAnEndlessStreamIsEnded()
      throws Exception {
    try (Service service = start("--lastcall.propagation-delay=0s")) {
      RSocketRequester client = connect(service, "tcp");
      CompletableFuture<List<String>> tokens =
          client.route("tokens").data("t").retrieveFlux(String.class).collectList().toFuture();
      List<String> prices = new CopyOnWriteArrayList<>();
      CompletableFuture<@Nullable Throwable> pricesEnd = new CompletableFuture<>();
      var unused =
          client
              .route("prices")
              .data("p")
              .retrieveFlux(String.class)
              .subscribe(prices::add, pricesEnd::complete, () -> pricesEnd.complete(null));
      client.route("note").data("n").send().block();
      service.awaitLine("note began n");
      Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> !prices.isEmpty());
      service.terminate();
      assertEquals(30, tokens.get(60, TimeUnit.SECONDS).size(), service::output);
      Throwable end = pricesEnd.get(60, TimeUnit.SECONDS);
      assertTrue(String.valueOf(end).contains("the server is shutting down"), () -> "" + end);
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      service.awaitLine("ended 1 rsocket-stream connection");
      service.awaitLine("note ended n");
    }
  }

  @Test
  void sigterm_streamOutlivesDrain_isCutWithAnErrorAndNamed() throws Exception {
    try (Service service =
        start("--lastcall.propagation-delay=0s", "--lastcall.drain-timeout=1s")) {
      RSocketRequester client = connect(service, "tcp");
      List<String> prices = new CopyOnWriteArrayList<>();
      CompletableFuture<@Nullable Throwable> end = new CompletableFuture<>();
      var unused =
          client
              .route("unmarked")
              .data("p")
              .retrieveFlux(String.class)
              .subscribe(prices::add, end::complete, () -> end.complete(null));
      Awaitility.await().atMost(60, TimeUnit.SECONDS).until(() -> !prices.isEmpty());
      service.terminate();
      Throwable failure = end.get(60, TimeUnit.SECONDS);
      assertTrue(
          String.valueOf(failure).contains("the server is shutting down"), () -> "" + failure);
      assertEquals(80, service.awaitExit(), service::output);
      service.awaitLine("RSocket request-stream");
    }
  }
}
