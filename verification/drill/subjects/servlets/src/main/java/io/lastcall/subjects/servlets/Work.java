package io.lastcall.subjects.servlets;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** {@code /work?ms=N}: 1,000 bytes after N ms; {@code async=true}: off the request's thread. */
public final class Work extends Timed {
  private static final long serialVersionUID = 1L;

  @Override
  void answer(HttpServletRequest request, HttpServletResponse response, long millis)
      throws IOException {
    if (!Boolean.parseBoolean(request.getParameter("async"))) {
      pause(millis);
      answer(response);
      return;
    }
    AsyncContext context = request.startAsync();
    // None: by default containers end it with 500 after 30 s.
    context.setTimeout(0);
    CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS)
        .execute(
            () -> {
              try {
                answer((HttpServletResponse) context.getResponse());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              } finally {
                context.complete();
              }
            });
  }

  private static void answer(HttpServletResponse response) throws IOException {
    response.setContentType("text/plain");
    response.getOutputStream().write(bytes(1000));
  }

  /** {@code /fast}: at once. */
  public static final class Fast extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.setContentType("text/plain");
      response.getWriter().print("fast\n");
    }
  }

  /**
   * {@code /stream?ms=N}: N/100 pieces of 100 bytes, one every 100 ms. In answer to POST each piece
   * is an event.
   */
  public static final class Stream extends Timed {
    private static final long serialVersionUID = 1L;

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response, long millis)
        throws IOException {
      boolean events = request.getMethod().equals("POST");
      response.setContentType(events ? "text/event-stream" : "text/plain");
      byte[] piece = events ? event() : bytes(100);
      OutputStream out = response.getOutputStream();
      for (long sent = 0; sent < millis / 100; sent++) {
        pause(100);
        out.write(piece);
        out.flush();
      }
    }

    private static byte[] event() {
      return ("data:" + "x".repeat(93) + "\n\n").getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      doGet(request, response);
    }
  }

  /** {@code POST /upload}: how many bytes it was. */
  public static final class Upload extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      long length = request.getInputStream().transferTo(OutputStream.nullOutputStream());
      response.setContentType("text/plain");
      response.getWriter().print(length);
    }
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 'x');
    return bytes;
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
