package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.Connections;
import io.lastcall.spring.service.TestApplication;
import io.lastcall.testing.WebSocketClient;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** What Spring's users leave open: nothing of theirs registers it. */
@Timeout(600)
@Tag("each-server")
class LongLivedTest {

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void webSockets_plainStompAndSockJs_areToldToGo() throws Exception {
    try (Service service =
        Service.start("--test.sockets=true", "--lastcall.propagation-delay=0s")) {
      int port = service.port();
      WebSocketClient plain = new WebSocketClient(port);
      assertEquals("hello", plain.exchange("hello"));
      WebSocketClient sockJs = new WebSocketClient(port, "/sockjs/000/session/websocket");
      assertEquals("o", sockJs.texts.take());
      WebSocketClient stomp = new WebSocketClient(port, "/stomp");
      assertTrue(stomp.exchange("CONNECT\naccept-version:1.2\n\n\0").startsWith("CONNECTED"));
      service.terminate();
      for (WebSocketClient client : List.of(plain, sockJs, stomp)) {
        assertEquals(1001, client.closed.get(60, TimeUnit.SECONDS));
      }
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      service.awaitLine("ended 3 WebSockets");
    }
  }

  @Test
  void webSockets_theirClientsHaveGone_areNotKept() throws Exception {
    String[] arguments = {"--server.port=0", "--logging.level.root=warn", "--test.sockets=true"};
    try (ConfigurableApplicationContext context =
        SpringApplication.run(TestApplication.class, arguments)) {
      Connections connections = context.getBean(GracefulShutdown.class).connections();
      int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
      WebSocketClient plain = new WebSocketClient(port);
      plain.exchange("hello");
      WebSocketClient sockJs = new WebSocketClient(port, "/sockjs/000/session/websocket");
      sockJs.texts.take();
      Awaitility.await().until(connections::open, open -> open == 2);
      plain.close();
      sockJs.close();
      Awaitility.await().until(connections::open, open -> open == 0);
    }
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void emitter_withoutAnEventSoFar_endsAsAnEventStream() throws Exception {
    try (Service service = Service.start("--lastcall.propagation-delay=0s")) {
      int port = service.port();
      List<CompletableFuture<HttpResponse<String>>> streams =
          Stream.of(
                  "/quiet",
                  "/quiet-entity",
                  "/quiet-produced",
                  "/quiet-charset",
                  "/quiet-object",
                  "/quiet-function")
              .map(path -> service.get(port, path))
              .toList();
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> service.count("quiet began"), began -> began == 6);
      service.terminate();
      for (CompletableFuture<HttpResponse<String>> stream : streams) {
        HttpResponse<String> response = stream.get(60, TimeUnit.SECONDS);
        assertEquals(200, response.statusCode(), response::toString);
        assertEquals(
            Optional.of("text/event-stream"), response.headers().firstValue("Content-Type"));
        assertEquals("", response.body());
      }
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      service.awaitLine("ended 6 event streams");
    }
  }
}
