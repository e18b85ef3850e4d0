package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/**
 * A container, made by the subclass and not started yet, and servlets that a case holds in its
 * hand.
 */
@Timeout(120)
public abstract class ContainerContract<C extends ContainerFixture> {
  /** A request has come to a servlet that waits for {@link #goOn}. */
  protected final CountDownLatch entered = new CountDownLatch(1);

  protected final CountDownLatch goOn = new CountDownLatch(1);
  protected final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  protected C container;

  protected abstract C create() throws Exception;

  @BeforeEach
  void prepareContainer() throws Exception {
    container = prepared(create());
  }

  /** Adds the servlets that every case has. */
  private C prepared(C fixture) {
    fixture.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    fixture.serve("/hold", this::hold);
    fixture.serve(
        "/flush",
        (request, response) -> {
          response.getWriter().print("first");
          response.flushBuffer();
          hold(request, response);
        });
    fixture.serve("/async", (request, response) -> started.add(request.startAsync()));
    fixture.serve(
        "/read",
        (request, response) -> {
          entered.countDown();
          int length = request.getInputStream().readAllBytes().length;
          response.getWriter().print(length);
        });
    return fixture;
  }

  /** For what a container can be told only when it is made. */
  protected final void replaceBy(C other) throws Exception {
    container.close();
    container = prepared(other);
  }

  @AfterEach
  void closeContainer() throws Exception {
    goOn.countDown();
    container.close();
  }

  protected final void hold(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    ContainerFixture.block(entered, goOn);
    response.getWriter().print("held");
  }

  protected final AsyncContext takeStarted() throws InterruptedException {
    AsyncContext context = started.poll(60, TimeUnit.SECONDS);
    assertTrue(context != null, "async started");
    return context;
  }

  protected static void print(AsyncContext context, String text) throws IOException {
    context.getResponse().getWriter().print(text);
  }
}
