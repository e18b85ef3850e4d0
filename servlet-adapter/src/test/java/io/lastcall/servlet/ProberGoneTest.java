package io.lastcall.servlet;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.probe.ProbeToken;
import io.lastcall.servlet.tomcat.TomcatFixture;
import io.lastcall.testing.PendingShutdown;
import io.lastcall.testing.RawClient;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client does not wait for a late answer, such as a kubelet for that of its preStop hook. */
@Timeout(120)
class ProberGoneTest {
  private static final String TOKEN = "0123456789abcdef";

  private final PendingShutdown shutdown = new PendingShutdown();

  /** The servlet has returned: the answer will be a late one. */
  private final CountDownLatch returned = new CountDownLatch(1);

  /** What each call of the servlet context was given, which is asked for nothing but its log. */
  private final List<List<Object>> logged = new CopyOnWriteArrayList<>();

  @Test
  void lateAnswer_cannotBeWritten_isLoggedWithoutAStackTrace() throws Exception {
    TomcatFixture tomcat = new TomcatFixture(shutdown, ProbeToken.of(TOKEN));
    ProbeServlet servlet = new ProbeServlet(tomcat.probes);
    servlet.init(new Config());
    tomcat.serve(
        "/prestop/*",
        (request, response) -> {
          servlet.service(request, new Unwritable(response));
          returned.countDown();
        });
    tomcat.start();
    try (RawClient prober = tomcat.client()) {
      prober.get("/prestop/" + TOKEN);
      returned.await();
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

  private final class Config implements ServletConfig {
    @Override
    public String getServletName() {
      return "probes";
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

    @Override
    public @Nullable String getInitParameter(String name) {
      return null;
    }

    @Override
    public Enumeration<String> getInitParameterNames() {
      return Collections.emptyEnumeration();
    }
  }
}
