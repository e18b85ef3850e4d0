package io.lastcall.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.Probes;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import io.lastcall.time.Ticker;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.logging.LogManager;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The filter alone, on a connector of the container's own, which marks nothing itself. */
@Timeout(60)
class RedirectTest {
  private final GateControl control = new GateControl(Ticker.system());
  private final Tomcat tomcat = new Tomcat();
  private final Connector connector = new Connector();
  private final Path base;

  RedirectTest(@TempDir Path base) {
    this.base = base;
  }

  /** How a servlet sends its client elsewhere. */
  private interface Redirect {
    void send(HttpServletResponse response) throws IOException;
  }

  @BeforeEach
  void configure() {
    LogManager.getLogManager().reset();
    tomcat.setBaseDir(base.toString());
    connector.setPort(0);
    connector.setProperty("address", "127.0.0.1");
    tomcat.setConnector(connector);
  }

  @AfterEach
  void stop() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }

  private void assertSaysClose(int status, Redirect redirect) throws Exception {
    ShutdownFilter filter =
        new ShutdownFilter(
            control.gate(),
            new Probes(() -> true, () -> true),
            new ConnectionControl().connections());
    Context context = tomcat.addContext("", base.toString());
    context.addServletContainerInitializer(new ShutdownInitializer(filter), null);
    Tomcat.addServlet(
            context,
            "moved",
            new HttpServlet() {
              private static final long serialVersionUID = 1L;

              @Override
              protected void doGet(HttpServletRequest request, HttpServletResponse response)
                  throws IOException {
                control.leave(Duration.ZERO);
                redirect.send(response);
              }
            })
        .addMapping("/moved");
    tomcat.start();
    try (RawClient client = new RawClient(connector.getLocalPort())) {
      Reply reply = client.exchange("/moved");
      assertEquals(status, reply.status());
      assertTrue(reply.saysClose());
    }
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
