package io.lastcall.subjects.servlets;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Takes the time that {@code ms=N} says. */
abstract class Timed extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected final void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String ms = request.getParameter("ms");
    long millis;
    try {
      millis = ms == null ? 0 : Long.parseLong(ms);
    } catch (NumberFormatException e) {
      response.sendError(400, "ms=" + ms + ": allowed is a whole number of milliseconds");
      return;
    }
    answer(request, response, millis);
  }

  abstract void answer(HttpServletRequest request, HttpServletResponse response, long millis)
      throws IOException;
}
