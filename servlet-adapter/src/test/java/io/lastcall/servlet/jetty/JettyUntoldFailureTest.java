package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.servlet.RawHttp2Client;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.server.ServerConnector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Jetty fails an asynchronous request behind its head, and says nothing to its listeners. */
@Timeout(120)
class JettyUntoldFailureTest {
  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private final JettyFixture jetty = JettyFixture.clearText();
  private final ServerConnector plain = new ServerConnector(jetty.jetty);

  @BeforeEach
  void start() throws Exception {
    jetty.serve(
        "/begins",
        (request, response) -> {
          response.getWriter().print("begun");
          response.flushBuffer();
          started.add(request.startAsync());
        });
    jetty.serveEvents("/sse", started);
    jetty.serve(
        "/fails",
        (request, response) -> {
          throw new IllegalStateException("as Spring does with what an asynchronous body threw");
        });
    plain.setHost("127.0.0.1");
    jetty.jetty.addConnector(plain);
    jetty.start();
  }

  @AfterEach
  void stop() throws Exception {
    jetty.close();
  }

  @Test
  void dispatchThrows_requestIsOver() throws Exception {
    try (RawClient client = jetty.client()) {
      client.get("/begins");
      started.take().dispatch("/fails");
      jetty.awaitCounted(1);
    }
  }

  @Test
  void dispatchThrows_onAConnectorOfJettysOwn_requestIsOver() throws Exception {
    try (RawClient client = new RawClient(plain.getLocalPort())) {
      client.get("/begins");
      started.take().dispatch("/fails");
      jetty.awaitCounted(1);
    }
  }

  @Test
  void dispatchThrows_eventStreamIsOver() throws Exception {
    try (RawClient client = jetty.client()) {
      client.get("/sse");
      AsyncContext events = started.take();
      awaitOpen(1);
      events.dispatch("/fails");
      awaitOpen(0);
    }
  }

  @Test
  void http2_clientIsGone_requestAndEventStreamAreOver() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(jetty.port())) {
      client.get(1, "/begins").await(RawHttp2Client.HEADERS);
      client.get(3, "/sse").await(RawHttp2Client.HEADERS);
      awaitOpen(1);
      assertEquals(1, jetty.inFlight());
    }
    jetty.awaitCounted(2);
    awaitOpen(0);
  }

  private void awaitOpen(int expected) {
    await()
        .atMost(ContainerFixture.LIMIT)
        .until(() -> jetty.connectionControl.connections().open() == expected);
  }
}
