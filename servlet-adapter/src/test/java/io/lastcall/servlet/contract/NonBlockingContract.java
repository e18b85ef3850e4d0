package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that are read, and answered, by a container's listeners, without blocking. */
public abstract class NonBlockingContract<C extends ContainerFixture> extends ContainerContract<C> {
  /** More than the kernel's buffers take. */
  private static final int LARGE = 8_000_000;

  private static final int EVENT = 10_000;

  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

  /** A listener has had to stop: what it has written is still to be taken in. */
  private final CountDownLatch full = new CountDownLatch(1);

  @BeforeEach
  void serveWithoutBlocking() {
    container.serve("/length", (request, response) -> new LengthReader(request, entered));
    container.serve("/large", Writer::new);
    container.serve("/sse", (request, response) -> events(request, response, EVENT));
    container.serve("/sse-large", (request, response) -> events(request, response, LARGE));
  }

  private void events(HttpServletRequest request, HttpServletResponse response, int size)
      throws IOException {
    response.setContentType("text/event-stream");
    new Events(request, response, size);
  }

  private void post(RawClient client) throws Exception {
    client.send("POST /length HTTP/1.1\r\nHost: test\r\nContent-Length: 10\r\n\r\n12345");
    entered.await();
  }

  @Test
  void read_bodyStillToCome_isAnsweredFirst() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      post(client);
      CompletableFuture<?> ended = container.drain();
      assertEquals(1, container.inFlight());
      client.send("67890");
      RawClient.Reply reply = client.read();
      assertEquals("10", reply.body());
      assertTrue(reply.saysClose());
      assertTrue(client.ended());
      ended.get();
      container.awaitCounted(1);
    }
  }

  @Test
  void read_clientGone_isReleasedAndNotWaitedFor() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      post(client);
      CompletableFuture<?> ended = container.drain();
      client.reset();
      container.awaitCounted(1);
      ended.get();
    }
  }

  @Test
  void write_slowClient_getsAll() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/large").readHead();
      CompletableFuture<?> ended = container.drain();
      assertEquals(1, container.inFlight());
      String chunks = client.rest();
      assertTrue(chunks.length() > LARGE);
      assertTrue(chunks.endsWith(LAST_CHUNK));
      ended.get();
      container.awaitCounted(1);
    }
  }

  @Test
  void write_clientGone_isReleasedAndNotWaitedFor() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/large").readHead();
      CompletableFuture<?> ended = container.drain();
      client.reset();
      container.awaitCounted(1);
      ended.get();
    }
  }

  /** What waits to be sent leaves in front of the last chunk. */
  @Test
  void sse_toldToCloseWhileItsClientTakesNothingIn_endsWithItsLastChunk() throws Exception {
    goOn.countDown();
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse-large");
      full.await();
      container.drain().get();
      CompletableFuture<Boolean> closed = closeAll();
      assertTrue(client.rest().endsWith(LAST_CHUNK));
      assertTrue(closed.get());
    }
  }

  /** A phone without a network, say. */
  @Test
  void sse_toldToCloseAndItsClientTakesNothingIn_isGivenUpOn() throws Exception {
    goOn.countDown();
    container.start();
    try (RawClient client = container.client()) {
      client.get("/sse-large");
      full.await();
      assertTrue(closeAll().get());
    }
  }

  /** It is not the writer's failure: containers cut a response whose listener throws. */
  @Test
  void sse_toldToCloseWhileItsListenerWrites_endsWithItsLastChunk() throws Exception {
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      client.get("/sse");
      entered.await();
      CompletableFuture<Boolean> closed = closeAll();
      goOn.countDown();
      assertEquals(2 * EVENT, client.read().body().length());
      assertTrue(client.ended());
      assertTrue(closed.get());
    }
  }

  /** It is one from its first event on, in whose writing it has said so. */
  @Test
  void sse_listenerSetsTheType_isLongLived() throws Exception {
    container.serve("/typed", (request, response) -> new Events(request, response, LARGE));
    goOn.countDown();
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      client.get("/typed");
      full.await();
      container.drain().get();
      CompletableFuture<Boolean> closed = closeAll();
      client.rest();
      assertTrue(closed.get());
    }
  }

  /** Returns when every stream has been told; its result waits for their ends. */
  private CompletableFuture<Boolean> closeAll() {
    ConnectionControl control = container.connectionControl;
    CompletableFuture<Boolean> closed =
        CompletableFuture.supplyAsync(
            () -> control.closeAll(Duration.ZERO, ContainerFixture.limit()));
    await().until(control::areAllToldToClose);
    return closed;
  }

  /** Answers with {@link #LARGE} bytes. */
  private static final class Writer implements WriteListener {
    private final AsyncContext context;
    private final ServletOutputStream body;
    private int left = LARGE;

    Writer(HttpServletRequest request, HttpServletResponse response) throws IOException {
      context = request.startAsync();
      body = response.getOutputStream();
      body.setWriteListener(this);
    }

    @Override
    public void onWritePossible() throws IOException {
      while (left > 0 && body.isReady()) {
        body.write(new byte[EVENT]);
        left -= EVENT;
      }
      if (left == 0) {
        context.complete();
      }
    }

    @Override
    public void onError(Throwable failure) {
      context.complete();
    }
  }

  /** Writes events without end; waits before the second one. */
  private final class Events implements WriteListener {
    private final HttpServletResponse response;
    private final ServletOutputStream body;
    private final int size;
    private boolean begun;

    Events(HttpServletRequest request, HttpServletResponse response, int size) throws IOException {
      this.response = response;
      this.size = size;
      request.startAsync();
      body = response.getOutputStream();
      body.setWriteListener(this);
    }

    @Override
    public void onWritePossible() throws IOException {
      while (body.isReady()) {
        if (begun && entered.getCount() > 0) {
          ContainerFixture.block(entered, goOn);
        }
        response.setContentType("text/event-stream");
        body.write(new byte[size]);
        begun = true;
      }
      full.countDown();
    }

    @Override
    public void onError(Throwable failure) {}
  }
}
