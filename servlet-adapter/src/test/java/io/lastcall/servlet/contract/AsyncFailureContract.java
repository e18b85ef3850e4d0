package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** One permit per asynchronous request that fails: by what is thrown, or by its client. */
public abstract class AsyncFailureContract<C extends ContainerFixture>
    extends ContainerContract<C> {
  /** As the container answers, by itself, a servlet that throws after {@code startAsync}. */
  private static void assertFailure(RawClient client) throws IOException {
    assertEquals(500, client.read().status());
  }

  /** At {@code /fail}. */
  private void startWithFailureBehindAStart() throws Exception {
    container.serve(
        "/fail",
        (request, response) -> {
          request.startAsync();
          throw new IllegalStateException("on purpose");
        });
    container.start();
  }

  @Test
  void async_chainThrowsAfterStart_isReleased() throws Exception {
    startWithFailureBehindAStart();
    try (RawClient client = container.client()) {
      client.get("/fail");
      assertFailure(client);
      container.awaitCounted(1);
    }
  }

  /** Undertow tells of the new start only when its thread has left the request. */
  @Test
  void async_dispatchedToAChainThatStartsAgainAndThrows_isReleased() throws Exception {
    startWithFailureBehindAStart();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/fail");
      assertFailure(client);
      container.awaitCounted(1);
    }
  }

  /** A filter in front of ours throws, behind the chain, where ours does not see it. */
  private void addFailingFirst(DispatcherType when) {
    container.addFirst(
        "failing",
        (request, response, chain) -> {
          chain.doFilter(request, response);
          if (request.getDispatcherType() == when) {
            throw new IllegalStateException("on purpose");
          }
        },
        DispatcherType.REQUEST,
        DispatcherType.ASYNC);
  }

  @Test
  void async_filterInFrontThrowsBehindAStart_isReleased() throws Exception {
    addFailingFirst(DispatcherType.REQUEST);
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      assertFailure(client);
      container.awaitCounted(1);
    }
  }

  @Test
  void async_filterInFrontThrowsBehindADispatch_isReleased() throws Exception {
    addFailingFirst(DispatcherType.ASYNC);
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/plain");
      assertEquals(500, client.read().status());
      container.awaitCounted(1);
    }
  }

  @Test
  void async_filterInFrontThrowsBehindADispatchThatStartsAgain_isReleased() throws Exception {
    addFailingFirst(DispatcherType.ASYNC);
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      takeStarted().dispatch("/async");
      assertFailure(client);
      container.awaitCounted(1);
    }
  }

  @Test
  void async_clientGone_isReleasedAndNotWaitedFor() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      client.reset();
      assertThrows(
          Exception.class,
          () -> {
            for (int i = 0; i < 100_000; i++) {
              context.getResponse().getOutputStream().write(new byte[1000]);
              context.getResponse().flushBuffer();
            }
          });
      container.awaitCounted(1);
    }
    container.drain().get();
  }

  @Test
  void async_clientGoneAndWriterUsed_isReleased() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/async");
      AsyncContext context = takeStarted();
      client.reset();
      try {
        while (!context.getResponse().getWriter().checkError()) {
          print(context, "x".repeat(1000));
        }
      } catch (NullPointerException | IllegalStateException recycled) {
        // The container was faster: it has ended the request and taken the writer to pieces.
      }
      container.awaitCounted(1);
    }
  }
}
