package io.lastcall.servlet;

import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.Probes;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Answers {@code /livez}, {@code /readyz} and {@code /startupz}; map it to {@link #mappings()}. Any
 * other path it is mapped to gets 404. Thread-safe, never blocks.
 */
public final class ProbeServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  // Containers do not serialize servlets; the field is there for HttpServlet's sake.
  private final transient Probes probes;

  /** Creates a servlet that answers from {@code probes}. */
  public ProbeServlet(Probes probes) {
    this.probes = probes;
  }

  /** Returns the paths to map the servlet to. */
  public static String[] mappings() {
    return new String[] {"/livez", "/readyz", "/startupz"};
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    Optional<ProbeAnswer> answer = probes.answer(request.getServletPath());
    if (answer.isEmpty()) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    byte[] body = answer.get().body().getBytes(StandardCharsets.US_ASCII);
    response.setStatus(answer.get().status());
    response.setContentType("text/plain");
    response.setHeader("Cache-Control", "no-store");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
