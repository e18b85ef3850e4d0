package io.lastcall.subjects.servlets;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * {@code /sse}: an event each 500 ms, until the library tells the stream to end. One thread writes
 * them all, which is enough here: a client that takes nothing in would hold up the others.
 */
public final class Events extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "events");
            thread.setDaemon(true);
            return thread;
          });

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    AsyncContext context = request.startAsync();
    context.setTimeout(0);
    context.getResponse().setContentType("text/event-stream");
    // A task that throws is not run again: so it ends when the client is gone or the stream is.
    var unused = timer.scheduleAtFixedRate(() -> event(context), 0, 500, TimeUnit.MILLISECONDS);
  }

  private static void event(AsyncContext context) {
    try {
      context.getResponse().getOutputStream().print("data: tick\n\n");
      context.getResponse().flushBuffer();
    } catch (IOException e) {
      throw new IllegalStateException("The stream has ended", e);
    }
  }
}
