package io.lastcall.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The filter alone, on a connector of the container's own, which marks nothing itself. */
@Timeout(120)
class StockConnectorTest {
  private final PlainTomcat tomcat;

  StockConnectorTest(@TempDir Path base) {
    tomcat = new PlainTomcat(base, new Connector());
  }

  /** How a servlet sends its client elsewhere. */
  private interface Redirect {
    void send(HttpServletResponse response) throws IOException;
  }

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.close();
  }

  private Reply answerOf(ContainerFixture.Service service) throws Exception {
    Context context = tomcat.addContext();
    context.addServletContainerInitializer(new ShutdownInitializer(tomcat.filter), null);
    PlainTomcat.serve(
        context,
        "/it",
        (request, response) -> {
          tomcat.control.leave(Duration.ZERO);
          service.serve(request, response);
        });
    tomcat.start();
    try (RawClient client = tomcat.client()) {
      return client.exchange("/it");
    }
  }

  private void assertSaysClose(int status, Redirect redirect) throws Exception {
    Reply reply = answerOf((request, response) -> redirect.send(response));
    assertEquals(status, reply.status());
    assertTrue(reply.saysClose());
  }

  /** What is cut must not look whole. */
  @Test
  void leaving_streamedBody_isInChunks() throws Exception {
    Reply reply = answerOf((request, response) -> response.flushBuffer());
    assertTrue(reply.saysClose());
    assertEquals("chunked", reply.header("transfer-encoding"));
  }

  @Test
  void leaving_writerClosed_saysClose() throws Exception {
    assertTrue(answerOf((request, response) -> response.getWriter().close()).saysClose());
  }

  /** Tomcat sends it as soon as it has that many bytes. */
  @Test
  void leaving_lengthSetAsAHeader_saysClose() throws Exception {
    Reply reply =
        answerOf(
            (request, response) -> {
              response.setHeader("Content-Length", "5");
              response.getOutputStream().print("whole");
            });
    assertTrue(reply.saysClose());
  }

  private static void assumeServlet61() {
    assumeTrue(
        Arrays.stream(HttpServletResponse.class.getMethods())
            .anyMatch(
                method ->
                    method.getName().equals("sendRedirect") && method.getParameterCount() == 3),
        "this container is one of Servlet 6.0, which has no such redirects");
  }

  @Test
  void leaving_redirect_saysClose() throws Exception {
    assertSaysClose(302, response -> response.sendRedirect("/elsewhere"));
  }

  @Test
  void leaving_redirectWithAStatus_saysClose() throws Exception {
    assumeServlet61();
    assertSaysClose(303, response -> response.sendRedirect("/elsewhere", 303));
  }

  @Test
  void leaving_redirectThatKeepsTheBuffer_saysClose() throws Exception {
    assumeServlet61();
    assertSaysClose(302, response -> response.sendRedirect("/elsewhere", false));
  }

  @Test
  void leaving_redirectWithAStatusThatKeepsTheBuffer_saysClose() throws Exception {
    assumeServlet61();
    assertSaysClose(307, response -> response.sendRedirect("/elsewhere", 307, false));
  }
}
