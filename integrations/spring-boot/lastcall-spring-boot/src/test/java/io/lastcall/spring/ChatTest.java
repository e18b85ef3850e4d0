package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An answer that streams and ends by itself, as that of a language model, is a request. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("each-server")
class ChatTest {
  private static final String ANSWER = "data:one\n\ndata:two\n\ndata:[DONE]\n\n";

  @ParameterizedTest
  @CsvSource({"POST, /chat", "POST, /chat-produced", "GET, /chat-marked"})
  void sigterm_chatIsAnswering_answerIsWhole(String method, String path) throws Exception {
    try (Service service = Service.start("--lastcall.propagation-delay=0s")) {
      CompletableFuture<HttpResponse<String>> answer = service.send(service.port(), method, path);
      service.awaitLine("chat began");
      service.terminate();
      service.awaitLine("DRAIN waits for 1 request in flight");
      service.goOn();
      assertEquals(ANSWER, answer.get(60, TimeUnit.SECONDS).body(), service::output);
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  /** What it has to be compared with. */
  @Test
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
