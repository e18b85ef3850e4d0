package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.EndlessResponse;
import io.lastcall.spring.webflux.ReactiveApplication;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawHttp2;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A WebFlux service on Reactor Netty, in a JVM of its own. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("each-jdk")
class WebFluxTest {
  private static Service start(String... arguments) throws Exception {
    return Service.start(ReactiveApplication.class, arguments);
  }

  @Test
  void sigterm_requestInFlight_isAnsweredBeforeTheContextCloses() throws Exception {
    try (Service service =
        Service.startWithoutFlags(ReactiveApplication.class, "--lastcall.propagation-delay=0s")) {
      CompletableFuture<HttpResponse<String>> slow = service.get(service.port(), "/slow");
      service.awaitLine("slow began");
      service.terminate();
      HttpResponse<String> response = slow.get(60, TimeUnit.SECONDS);
      assertEquals("slow", response.body());
      assertEquals("close", response.headers().firstValue("connection").orElse(""));
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      int drained = service.index("CLOSE_CONNECTIONS for up to");
      int destroyed = service.index("bean destroyed");
      assertTrue(service.index("consumers stopped") < drained, service::output);
      assertTrue(drained < destroyed, service::output);
      assertFalse(service.output().contains("No server can be drained"), service::output);
    }
  }

  @Test
  void http2_requestInFlight_isAnswered() throws Exception {
    try (Service service =
        start("--server.http2.enabled=true", "--lastcall.propagation-delay=0s")) {
      try (RawHttp2 peer = new RawHttp2(service.port())) {
        peer.get(1, "/slow");
        service.awaitLine("slow began");
        service.terminate();
        assertEquals(
            "slow", StandardCharsets.UTF_8.decode(peer.await(RawHttp2.DATA).payload()).toString());
      }
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  /** Spring Boot's own wait for it ends after a second. */
  @Test
  void sigterm_requestOnActuatorsOwnPortIsInFlight_isAwaited() throws Exception {
    try (Service service =
        start(
            "--management.server.port=0",
            "--management.endpoints.web.exposure.include=slow",
            "--lastcall.propagation-delay=0s")) {
      service.port();
      CompletableFuture<HttpResponse<String>> slow =
          service.get(service.managementPort(), "/actuator/slow");
      service.awaitLine("endpoint began");
      service.terminate();
      service.awaitLine("DRAIN waits for 1 of work 'management'");
      service.goOn();
      assertEquals("slow", slow.get(60, TimeUnit.SECONDS).body(), service::output);
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  @Test
  void sigterm_eventStreamOpen_isEndedAndHoldsNothing() throws Exception {
    try (Service service = start("--lastcall.propagation-delay=0s");
        RawClient client = new RawClient(service.port())) {
      client.get("/events");
      client.readHead();
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  /** The second and the last token come in DRAIN. */
  @ParameterizedTest
  @ValueSource(strings = {"POST", "GET"})
  void sigterm_chatIsAnswering_answerIsWhole(String method) throws Exception {
    try (Service service = start("--lastcall.propagation-delay=0s")) {
      CompletableFuture<HttpResponse<String>> chat = service.send(service.port(), method, "/chat");
      service.awaitLine("chat began");
      service.terminate();
      HttpResponse<String> answer = chat.get(60, TimeUnit.SECONDS);
      assertEquals("data:one\n\ndata:slow\n\ndata:[DONE]\n\n", answer.body(), service::output);
      assertFalse(answer.headers().firstValue(EndlessResponse.HEADER).isPresent());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  /** WebFlux has sent no head of it. */
  @Test
  void sigterm_eventStreamWithoutAnEvent_isEndedAndHoldsNothing() throws Exception {
    try (Service service = start("--lastcall.propagation-delay=0s")) {
      CompletableFuture<HttpResponse<String>> quiet = service.get(service.port(), "/quiet");
      service.awaitLine("quiet began");
      service.terminate();
      HttpResponse<String> response = quiet.get(60, TimeUnit.SECONDS);
      assertEquals(200, response.statusCode());
      assertEquals("", response.body());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      service.awaitLine("ended 1 event stream");
    }
  }
}
