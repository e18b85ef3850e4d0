package io.lastcall.faults.subject;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code /fast}; {@code /work?ms=N}, which says when it begins; {@code /do?act=NAME}; {@code
 * /async}, which is never answered; {@code /big}; {@code /upload}; {@code /events}, without an end;
 * {@code /stream?ms=N}, with one; {@code /never}; {@code /chain}, which leaves a task to an
 * executor.
 */
final class Requests extends HttpServlet {
  private static final long serialVersionUID = 1L;
  private static final Duration EVENT_INTERVAL = Duration.ofMillis(200);

  private final transient Control control;
  private final transient Runnable chain;

  Requests(Control control, Runnable chain) {
    this.control = control;
    this.chain = chain;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    switch (request.getPathInfo()) {
      case "/fast" -> {}
      case "/work" -> work(Duration.ofMillis(Long.parseLong(request.getParameter("ms"))));
      case "/do" -> act(request.getParameter("act"));
      case "/async" -> {
        request.startAsync().setTimeout(0);
        control.say("serving");
        return;
      }
      case "/big" -> big(response);
      case "/upload" -> {
        control.say("serving");
        request.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
      case "/never" -> {
        control.say("serving");
        Act.HANG.run();
      }
      case "/chain" -> chain.run();
      case "/events" -> events(response);
      case "/stream" ->
          stream(response, Duration.ofMillis(Long.parseLong(request.getParameter("ms"))));
      default -> response.setStatus(HttpServletResponse.SC_NOT_FOUND);
    }
    if (!response.isCommitted()) {
      response.getOutputStream().write("done\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  private void work(Duration duration) {
    control.say("serving");
    long end = System.nanoTime() + duration.toNanos();
    while (System.nanoTime() - end < 0) {
      LockSupport.parkNanos(end - System.nanoTime());
      Thread.interrupted();
    }
  }

  private void act(String name) {
    control.say("act " + name);
    Places.act(name).run();
  }

  private void big(HttpServletResponse response) throws IOException {
    control.say("serving");
    byte[] piece = new byte[1 << 16];
    response.setContentLength(Server.BIG_BYTES);
    for (int sent = 0; sent < Server.BIG_BYTES; sent += piece.length) {
      response.getOutputStream().write(piece);
    }
  }

  private void stream(HttpServletResponse response, Duration duration) throws IOException {
    response.setContentType("text/event-stream");
    control.say("serving");
    for (Duration sent = Duration.ZERO;
        sent.compareTo(duration) < 0;
        sent = sent.plus(EVENT_INTERVAL)) {
      response.getOutputStream().print("data: token\n\n");
      response.flushBuffer();
      Act.pause(EVENT_INTERVAL);
    }
    response.getOutputStream().print("data: [DONE]\n\n");
  }

  private void events(HttpServletResponse response) throws IOException {
    response.setContentType("text/event-stream");
    control.say("serving");
    while (true) {
      response.getOutputStream().print("data: tick\n\n");
      response.flushBuffer();
      LockSupport.parkNanos(EVENT_INTERVAL.toNanos());
    }
  }
}
