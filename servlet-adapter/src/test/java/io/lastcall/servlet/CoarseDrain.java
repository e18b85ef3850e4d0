package io.lastcall.servlet;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** A whole drain of a server whose container is not as tested. */
public final class CoarseDrain {
  private CoarseDrain() {}

  /**
   * Runs {@code scenario}, a {@link Callable}, as {@code loader} loads it.
   *
   * @return what was logged
   */
  public static String logOf(ClassLoader loader, Class<?> scenario) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    PrintStream console = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    thread.setContextClassLoader(loader);
    try {
      Class<?> loaded = loader.loadClass(scenario.getName());
      ((Callable<?>) loaded.getDeclaredConstructor().newInstance()).call();
    } finally {
      thread.setContextClassLoader(before);
      System.setErr(console);
    }
    return log.toString(StandardCharsets.UTF_8);
  }

  /** With a request in flight, one on an idle connection, and a new one. */
  public static void run(ContainerFixture container) throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    container.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    container.serve(
        "/hold",
        (request, response) -> {
          ContainerFixture.block(entered, goOn);
          response.getWriter().print("held");
        });
    container.start();
    try (RawClient busy = container.client();
        RawClient idle = container.client()) {
      assertFalse(idle.exchange("/plain").saysClose());
      busy.get("/hold");
      entered.await();
      container.leave();
      goOn.countDown();
      assertLast("held", busy.read());
      assertLast("plain", idle.exchange("/plain"));
      try (RawClient late = container.client()) {
        assertLast("plain", late.exchange("/plain"));
      }
      container.awaitCounted(4);
      assertTrue(container.server().connections().isEmpty());
      int port = container.port();
      container.server().stopListening(ContainerFixture.limit());
      container.server().connectionsEnded().toCompletableFuture().get();
      // The acceptor may be some instructions from the end of its accept.
      await().until(() -> refuses(port));
      container.server().stop(ContainerFixture.limit());
    } finally {
      goOn.countDown();
      container.close();
    }
  }

  private static boolean refuses(int port) throws IOException {
    try {
      new RawClient(port).close();
      return false;
    } catch (ConnectException refused) {
      return true;
    }
  }

  private static void assertLast(String body, Reply reply) {
    assertEquals(body, reply.body());
    assertTrue(reply.saysClose());
  }
}
