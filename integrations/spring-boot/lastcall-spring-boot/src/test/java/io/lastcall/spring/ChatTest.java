package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An answer that streams and ends by itself, as that of a language model, is a request. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("each-server")
class ChatTest {
  private static final String ANSWER = "data:one\n\ndata:two\n\ndata:[DONE]\n\n";

  @Test
  void sigterm_chatsAreAnswering_answersAreWhole() throws Exception {
    try (Service service = Service.start("--lastcall.propagation-delay=0s")) {
      int port = service.port();
      List<CompletableFuture<HttpResponse<String>>> answers =
          List.of(
              service.send(port, "POST", "/chat"),
              service.send(port, "POST", "/chat-produced"),
              service.send(port, "GET", "/chat-marked"));
      Awaitility.await().atMost(Service.PATIENCE).until(() -> service.count("chat began") == 3);
      service.terminate();
      service.awaitLine("DRAIN waits for 3 requests in flight");
      for (int i = 0; i < answers.size(); i++) {
        service.goOn();
      }
      for (CompletableFuture<HttpResponse<String>> answer : answers) {
        assertEquals(ANSWER, answer.get(60, TimeUnit.SECONDS).body(), service::output);
      }
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  /** As an MCP client accepts. Spring makes events of many values alone. */
  @Test
  @Tag("all")
  void sigterm_clientAcceptsEventsAndGetsOneValue_answerIsWhole() throws Exception {
    try (Service service = Service.start("--lastcall.propagation-delay=0s")) {
      CompletableFuture<HttpResponse<String>> answer =
          service.send(service.port(), "GET", "/one", "application/json, text/event-stream");
      service.awaitLine("chat began");
      service.terminate();
      service.awaitLine("DRAIN waits for 1 request in flight");
      service.goOn();
      assertEquals("whole", answer.get(60, TimeUnit.SECONDS).body(), service::output);
      assertEquals(0, service.awaitExit(), service::output);
    }
  }

  /** What it has to be compared with. */
  @Test
  @Tag("all")
  void sigterm_withoutTheLibrary_answerIsWhole() throws Exception {
    try (Service service = Service.start("--lastcall.enabled=false")) {
      int port = service.boundPort();
      CompletableFuture<HttpResponse<String>> answer = service.send(port, "POST", "/chat");
      service.awaitLine("chat began");
      service.terminate();
      service.awaitLine("Commencing graceful shutdown");
      service.goOn();
      assertEquals(ANSWER, answer.get(60, TimeUnit.SECONDS).body(), service::output);
      assertEquals(143, service.awaitExit(), service::output);
    }
  }
}
