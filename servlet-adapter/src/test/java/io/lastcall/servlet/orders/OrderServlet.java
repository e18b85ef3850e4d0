package io.lastcall.servlet.orders;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A request is in flight from the first word of its answer until its client sends a byte. */
@WebServlet("/order")
public final class OrderServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().print("taken,");
    response.flushBuffer();
    response.getWriter().print("made with " + (char) request.getInputStream().read());
  }
}
