package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A drain waits for answers, and for no stream. */
public abstract class ConnectionsEndedContract<C extends ContainerFixture>
    extends ContainerContract<C> {

  private void blockingEvents(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/event-stream");
    response.flushBuffer();
    hold(request, response);
  }

  @Test
  void connectionsEnded_eventStreamOpen_doesNotWaitForIt() throws Exception {
    container.serveEvents("/sse", started);
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse").readHead();
      container.awaitCounted(1);
      container.drain().get();
      takeStarted().complete();
      assertEquals("", client.readChunk());
      assertTrue(client.ended(), "idle behind its stream, it is closed");
    }
  }

  @Test
  void connectionsEnded_eventStreamOnABlockingThread_doesNotWaitForIt() throws Exception {
    container.serve("/events", this::blockingEvents).start();
    try (RawClient client = container.client()) {
      client.get("/events").readHead();
      entered.await();
      container.drain().get();
    }
  }

  @Test
  void connectionsEnded_requestBehindAnEventStreamOnABlockingThread_isAnsweredFirst()
      throws Exception {
    container.serve("/events", this::blockingEvents).start();
    goOn.countDown();
    try (RawClient client = container.client()) {
      client.exchange("/events");
      client.get("/async");
      AsyncContext context = takeStarted();
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      context.complete();
      assertEquals(200, client.read().status());
      ended.get();
    }
  }

  @Test
  void connectionsEnded_becomesAnEventStreamLater_doesNotWaitForIt() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      CompletableFuture<?> ended = container.drain();
      assertFalse(ended.isDone());
      context.getResponse().setContentType("text/event-stream");
      context.getResponse().flushBuffer();
      ended.get();
      context.complete();
    }
  }
}
