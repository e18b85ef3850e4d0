package io.lastcall.servlet;

import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * Answers the probes, {@code /prestop} and {@code /lameduck}; map it to {@link #mappings(Probes)},
 * with async supported. Any other path it is mapped to gets 404. Thread-safe; blocks only where a
 * filter in front of it does not support async, which in a {@code web.xml} is the default.
 */
public final class ProbeServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  // Containers do not serialize servlets; the field is there for HttpServlet's sake.
  private final transient Probes probes;

  /** Creates a servlet that answers from {@code probes}. */
  public ProbeServlet(Probes probes) {
    this.probes = probes;
  }

  /**
   * Returns the paths to map the servlet to: {@code /prestop} and {@code /lameduck} only where
   * there is a token, since an application may have its own.
   */
  public static String[] mappings(Probes probes) {
    return Stream.of(
            "/livez", "/readyz", "/startupz", "/prestop", "/prestop/*", "/lameduck", "/lameduck/*")
        .filter(probes::isProbe)
        .toArray(String[]::new);
  }

  /** Every method: which ones a path allows is for the probes to say. */
  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    CompletionStage<ProbeAnswer> answer =
        probes.answer(ProbeRequest.of(request.getMethod(), target(request), request::getHeader));
    if (answer.toCompletableFuture().isDone() || !request.isAsyncSupported()) {
      // Only /prestop waits, for the end of the propagation at most.
      write(answer.toCompletableFuture().join(), response);
      return;
    }
    AsyncContext async = request.startAsync();
    async.setTimeout(0);
    answer.thenAccept(late -> finish(late, response, async));
  }

  private void finish(ProbeAnswer answer, HttpServletResponse response, AsyncContext async) {
    try {
      write(answer, response);
    } catch (IOException gone) {
      // No stack trace: a kubelet may give up a hook that waits.
      log("A probe's client did not wait for its answer: " + gone);
    } finally {
      async.complete();
    }
  }

  private static String target(HttpServletRequest request) {
    String query = request.getQueryString();
    return ShutdownFilter.path(request) + (query == null ? "" : "?" + query);
  }

  private static void write(ProbeAnswer answer, HttpServletResponse response) throws IOException {
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    response.getOutputStream().write(answer.body().getBytes(StandardCharsets.UTF_8));
  }
}
