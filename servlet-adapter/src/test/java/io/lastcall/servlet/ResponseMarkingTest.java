package io.lastcall.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawClient.Reply;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * {@code Connection: close} is decided when the head is committed. Each servlet here begins the
 * shutdown itself, in the middle of its request.
 */
@Timeout(30)
class ResponseMarkingTest {
  private static final String UPGRADE =
      "GET /it HTTP/1.1\r\nHost: test\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n";

  private final CountDownLatch goOn = new CountDownLatch(1);
  private TomcatFixture tomcat;

  @BeforeEach
  void create() throws Exception {
    tomcat = new TomcatFixture();
  }

  @AfterEach
  void stop() throws Exception {
    goOn.countDown();
    tomcat.close();
  }

  private Reply answerOf(TomcatFixture.Service service) throws Exception {
    tomcat.serve("/it", service).start();
    try (RawClient client = tomcat.client()) {
      Reply reply = client.exchange("/it");
      if (reply.saysClose()) {
        assertTrue(client.ended());
      }
      return reply;
    }
  }

  @Test
  void serving_response_keepsTheConnection() throws Exception {
    Reply reply = answerOf((request, response) -> response.getWriter().print("x"));
    assertFalse(reply.saysClose());
    assertEquals("x", reply.body());
  }

  @Test
  void leaving_beganWithinTheRequest_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              tomcat.leave();
              response.getWriter().print("x");
            });
    assertTrue(reply.saysClose());
    assertEquals("x", reply.body());
  }

  @Test
  void leaving_beganWithTheWriterOpenAndTextWritten_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              response.getWriter().print("be");
              tomcat.leave();
              response.getWriter().print("fore");
            });
    assertTrue(reply.saysClose());
    assertEquals("before", reply.body());
  }

  @Test
  void leaving_beganWithBytesWritten_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              response.getOutputStream().write('a');
              tomcat.leave();
              response.getOutputStream().write("bc".getBytes(StandardCharsets.US_ASCII));
            });
    assertTrue(reply.saysClose());
    assertEquals("abc", reply.body());
  }

  @Test
  void leaving_bufferOverflows_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              tomcat.leave();
              response.getOutputStream().write(new byte[100_000]);
            });
    assertTrue(reply.saysClose());
    assertEquals(100_000, reply.body().length());
  }

  @Test
  void leaving_bufferOverflowsByLineEnds_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              tomcat.leave();
              for (int i = 0; i < 100_000; i++) {
                response.getWriter().println();
              }
            });
    assertTrue(reply.saysClose());
    assertEquals(System.lineSeparator().repeat(100_000), reply.body());
  }

  @Test
  void leaving_bufferFlushed_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              tomcat.leave();
              response.getWriter().print("x");
              response.flushBuffer();
            });
    assertTrue(reply.saysClose());
  }

  @Test
  void leaving_committedBefore_cannotSayIt() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              response.flushBuffer();
              tomcat.leave();
              response.getWriter().print("x");
            });
    assertFalse(reply.saysClose());
    assertEquals("x", reply.body());
  }

  @Test
  void leaving_emptyResponse_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              tomcat.leave();
              response.setStatus(204);
            });
    assertEquals(204, reply.status());
    assertTrue(reply.saysClose());
  }

  @Test
  void leaving_resetAfterTheDecision_saysCloseStill() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              tomcat.leave();
              response.setContentLength(10);
              response.getOutputStream().print("abc");
              response.reset();
              response.getOutputStream().print("other");
            });
    assertTrue(reply.saysClose());
    assertEquals("other", reply.body());
  }

  @Test
  void leaving_redirect_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              tomcat.leave();
              response.sendRedirect("/elsewhere");
            });
    assertEquals(302, reply.status());
    assertTrue(reply.saysClose());
  }

  @Test
  void leaving_sendError_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              tomcat.leave();
              response.sendError(418, "teapot");
            });
    assertEquals(418, reply.status());
    assertTrue(reply.saysClose());
    assertTrue(reply.body().contains("teapot"), "the container's error page is whole");
  }

  @Test
  void leaving_asyncThroughTheContextsOwnResponse_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              AsyncContext context = request.startAsync();
              context.start(
                  () -> {
                    tomcat.leave();
                    try {
                      context.getResponse().getWriter().print("async");
                    } catch (java.io.IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                    context.complete();
                  });
            });
    assertEquals("async", reply.body());
    assertTrue(reply.saysClose());
  }

  @Test
  void leaving_unknownPath_saysClose() throws Exception {
    tomcat.start();
    tomcat.leave();
    try (RawClient client = tomcat.client()) {
      Reply reply = client.exchange("/unknown");
      assertEquals(404, reply.status());
      assertTrue(reply.saysClose());
    }
  }

  @Test
  void leaving_probe_saysClose() throws Exception {
    tomcat.serveProbes().start();
    tomcat.leave();
    try (RawClient client = tomcat.client()) {
      assertTrue(client.exchange("/livez").saysClose());
    }
  }

  @Test
  void leaving_upgrade_saysNothingOfClose() throws Exception {
    tomcat.serve("/it", (request, response) -> request.upgrade(Ending.class)).start();
    tomcat.leave();
    try (RawClient client = tomcat.client()) {
      Reply reply = client.send(UPGRADE).readHead();
      assertEquals(101, reply.status());
      assertNull(reply.header("connection"), "the application's to say");
      assertTrue(client.ended());
    }
  }

  @Test
  void leaving_upgradeNotTaken_saysClose() throws Exception {
    tomcat.serve("/it", (request, response) -> response.getWriter().print("x")).start();
    tomcat.leave();
    try (RawClient client = tomcat.client()) {
      assertTrue(client.send(UPGRADE).read().saysClose());
      assertTrue(client.ended());
    }
  }

  /** A protocol that ends as it begins. */
  public static final class Ending implements HttpUpgradeHandler {
    @Override
    public void init(WebConnection connection) {
      try {
        connection.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void destroy() {}
  }

  @Test
  void writer_failsOnItsClient_saysSo() throws Exception {
    tomcat.serve(
        "/it",
        (request, response) -> {
          while (!response.getWriter().checkError()) {
            response.getWriter().print("x".repeat(10_000));
          }
          goOn.countDown();
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      client.get("/it").readHead();
      client.reset();
      goOn.await();
      tomcat.awaitCounted(1);
    }
  }
}
