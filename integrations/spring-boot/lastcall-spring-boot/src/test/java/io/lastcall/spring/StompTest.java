package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.service.StompApplication;
import io.lastcall.testing.WebSocketClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Frames on their way through STOMP's channels are work, and so are the answers to them. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("all")
class StompTest {
  private static final int FRAMES = 60;

  /** Returns the answers that come before the socket closes. */
  private static List<String> answers(Service service, WebSocketClient client) throws Exception {
    assertTrue(
        client
            .exchange("CONNECT\naccept-version:1.2\nheart-beat:0,1000\n\n\0")
            .startsWith("CONNECTED"));
    client.send("SUBSCRIBE\nid:1\ndestination:/topic/answers\n\n\0");
    IntStream.range(0, FRAMES)
        .forEach(i -> client.send("SEND\ndestination:/app/orders\n\norder-" + i + "\0"));
    service.awaitLine("taken order-");
    service.terminate();
    client.closed.get(60, TimeUnit.SECONDS);
    List<String> texts = new ArrayList<>();
    client.texts.drainTo(texts);
    return texts.stream().filter(text -> text.contains("answer order-")).toList();
  }

  @Test
  void sigterm_framesAreQueued_everyOneIsAnsweredBefore1001() throws Exception {
    try (Service service =
        Service.start(
            StompApplication.class,
            "--lastcall.propagation-delay=0s",
            "--lastcall.grace-period=60s")) {
      WebSocketClient client = new WebSocketClient(service.port(), "/stomp");
      assertEquals(FRAMES, answers(service, client).size(), service::output);
      assertEquals(1001, client.closed.join());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
      assertTrue(service.index("work 'clientInboundChannelExecutor'") > 0, service::output);
      assertEquals(-1, service.index("MessageDeliveryException"), service::output);
    }
  }

  @Test
  void sigterm_withoutTheLibrary_queuedFramesAreDropped() throws Exception {
    try (Service service = Service.start(StompApplication.class, "--lastcall.enabled=false")) {
      WebSocketClient client = new WebSocketClient(service.boundPort(), "/stomp");
      assertTrue(answers(service, client).size() < FRAMES, service::output);
    }
  }

  /** A client that goes on to send heartbeats holds nothing up. */
  @Test
  void sigterm_nothingIsQueued_heartbeatsAreNoWork() throws Exception {
    try (Service service =
        Service.start(StompApplication.class, "--lastcall.propagation-delay=0s")) {
      WebSocketClient client = new WebSocketClient(service.port(), "/stomp");
      client.exchange("CONNECT\naccept-version:1.2\nheart-beat:100,100\n\n\0");
      service.terminate();
      Awaitility.await()
          .atMost(60, TimeUnit.SECONDS)
          .until(
              () -> {
                if (!client.closed.isDone()) {
                  client.send("\n");
                }
                return client.closed.isDone();
              });
      assertEquals(1001, client.closed.join());
      assertEquals(0, service.awaitExit(), service::output);
    }
  }
}
