package io.lastcall.servlet.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import jakarta.servlet.AsyncContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * {@code Connection: close} is decided when the head is committed. Each servlet here begins the
 * shutdown itself, in the middle of its request.
 */
public abstract class MarkingContract<C extends ContainerFixture> extends ContainerContract<C> {
  private Reply answerOf(ContainerFixture.Service service) throws Exception {
    container.serve("/it", service).start();
    try (RawClient client = container.client()) {
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
  void leaving_withHalfOfTheRampGone_halfOfTheResponsesSayClose() throws Exception {
    container.start();
    Deadline before = Deadline.after(Duration.ofDays(-1), Ticker.system());
    container.control.leave(before, Duration.ofDays(2));
    int closes = 0;
    for (int i = 0; i < 400; i++) {
      try (RawClient client = container.client()) {
        if (client.exchange("/plain").saysClose()) {
          closes++;
        }
      }
    }
    // Four standard deviations of 10 to each side.
    assertTrue(closes >= 160 && closes <= 240, "close was said " + closes + " times");
  }

  @Test
  void leaving_withinTheRamp_streamedBodyKeepsItsChunks() throws Exception {
    container
        .serve(
            "/it",
            (request, response) -> {
              response.flushBuffer();
              response.getWriter().print("x");
            })
        .start();
    Deadline before = Deadline.after(Duration.ofDays(-1), Ticker.system());
    container.control.leave(before, Duration.ofDays(2));
    for (int i = 0; i < 50; i++) {
      try (RawClient client = container.client()) {
        Reply reply = client.exchange("/it");
        assertEquals("chunked", reply.header("transfer-encoding"), reply::toString);
      }
    }
  }

  @Test
  void leaving_beganWithinTheRequest_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              container.leave();
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
              container.leave();
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
              container.leave();
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
              container.leave();
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
              container.leave();
              for (int i = 0; i < 100_000; i++) {
                response.getWriter().println();
              }
            });
    assertTrue(reply.saysClose());
    assertEquals(100_000, reply.body().lines().count());
  }

  @Test
  void leaving_bufferFlushed_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              container.leave();
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
              container.leave();
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
              container.leave();
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
              container.leave();
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
              container.leave();
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
              container.leave();
              response.sendError(418, "teapot");
            });
    assertEquals(418, reply.status());
    assertTrue(reply.saysClose());
    assertTrue(reply.body().contains("teapot"), "the container's error page is whole");
  }

  /** It knows no chunks. */
  @Test
  void leaving_streamedBodyForHttp10_endsWithTheConnection() throws Exception {
    container.start();
    container.leave();
    goOn.countDown();
    try (RawClient client = container.client()) {
      Reply reply = client.send("GET /flush HTTP/1.0\r\nHost: test\r\n\r\n").read();
      assertEquals("firstheld", reply.body());
      assertNull(reply.header("transfer-encoding"));
    }
  }

  /** Behind a body without chunks there is no place for them. */
  @Test
  void leaving_trailersOfTheApplications_areSent() throws Exception {
    container.serve(
        "/it",
        (request, response) -> {
          response.setTrailerFields(() -> Map.of("sum", "1"));
          response.getWriter().print("x");
          response.flushBuffer();
        });
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      String response = client.get("/it").rest();
      assertTrue(response.endsWith("0\r\nsum: 1\r\n\r\n"), response);
    }
  }

  @Test
  void leaving_asyncThroughTheContextsOwnResponse_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              AsyncContext context = request.startAsync();
              context.start(
                  () -> {
                    container.leave();
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
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      Reply reply = client.exchange("/unknown");
      assertEquals(404, reply.status());
      assertTrue(reply.saysClose());
      assertTrue(client.ended());
    }
  }

  @Test
  void leaving_probe_saysClose() throws Exception {
    container.serveProbes().start();
    container.leave();
    try (RawClient client = container.client()) {
      assertTrue(client.exchange("/livez").saysClose());
      assertTrue(client.ended());
    }
  }

  @Test
  void writer_failsOnItsClient_saysSo() throws Exception {
    container.serve(
        "/it",
        (request, response) -> {
          while (!response.getWriter().checkError()) {
            response.getWriter().print("x".repeat(10_000));
          }
          goOn.countDown();
        });
    container.start();
    try (RawClient client = container.client()) {
      client.get("/it").readHead();
      client.reset();
      goOn.await();
      container.awaitCounted(1);
    }
  }

  @Test
  void serving_anyAnswer_keepsTheConnection() throws Exception {
    container.serveProbes().start();
    try (RawClient client = container.client()) {
      assertFalse(client.exchange("/livez").saysClose());
      assertFalse(client.exchange("/plain").saysClose());
      assertEquals("plain", client.exchange("/plain").body());
    }
  }

  @Test
  void leaving_malformedRequest_saysClose() throws Exception {
    container.start();
    container.leave();
    try (RawClient client = container.client()) {
      Reply reply = client.send("GET /plain HTTP/1.1\r\nHost test\r\n\r\n").read();
      assertEquals(400, reply.status());
      assertTrue(reply.saysClose());
    }
  }

  @Test
  void leaving_headCommittedBefore_isNotCutWithoutHavingSaidSo() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.get("/flush").readHead();
      assertEquals("first", client.readChunk());
      container.leave();
      goOn.countDown();
      assertEquals("held", client.readChunk());
      assertEquals("", client.readChunk());
      container.awaitInFlight(0);
      assertTrue(
          client.exchange("/plain").saysClose(), "the next one on it is served, and says it");
    }
  }
}
