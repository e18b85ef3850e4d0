package io.lastcall.servlet;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.probe.ProbeToken;
import io.lastcall.servlet.tomcat.TomcatFixture;
import io.lastcall.testing.PendingShutdown;
import io.lastcall.testing.RawClient;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client does not wait for a late answer, such as a kubelet for that of its preStop hook. */
@Timeout(120)
class ProberGoneTest {
  private static final String TOKEN = "0123456789abcdef";

  private final PendingShutdown shutdown = new PendingShutdown();

  /** What each call of the servlet context was given, which is asked for nothing but its log. */
  private final List<List<Object>> logged = new CopyOnWriteArrayList<>();

  @Test
  void lateAnswer_cannotBeWritten_isLoggedWithoutAStackTrace() throws Exception {
    TomcatFixture tomcat = new TomcatFixture(shutdown, ProbeToken.of(TOKEN));
    tomcat.addFirst(
        "unwritable",
        (request, response, chain) ->
            chain.doFilter(
                new Logging((HttpServletRequest) request),
                new Unwritable((HttpServletResponse) response)));
    tomcat.serveProbes();
    tomcat.start();
    try (RawClient prober = tomcat.client()) {
      prober.get("/prestop/" + TOKEN);
      await().until(() -> shutdown.preStops.get() == 1);
      shutdown.propagated.complete(null);
      await().until(() -> logged.size() == 1);
    } finally {
      tomcat.close();
    }
    assertEquals(1, logged.get(0).size());
    assertTrue(logged.get(0).toString().contains("did not wait for its answer"));
  }

  private static final class Unwritable extends HttpServletResponseWrapper {
    Unwritable(HttpServletResponse response) {
      super(response);
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
      throw new IOException("gone, on purpose");
    }
  }

  private final class Logging extends HttpServletRequestWrapper {
    Logging(HttpServletRequest request) {
      super(request);
    }

    @Override
    public ServletContext getServletContext() {
      return (ServletContext)
          Proxy.newProxyInstance(
              ServletContext.class.getClassLoader(),
              new Class<?>[] {ServletContext.class},
              (self, method, arguments) -> {
                logged.add(List.of(arguments));
                return null;
              });
    }
  }
}
