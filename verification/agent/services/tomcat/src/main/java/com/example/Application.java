package com.example;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An answer at once, one that takes its thread 300 ms, one that comes later, and a stream. */
@WebServlet(urlPatterns = "/*", asyncSupported = true)
public class Application extends HttpServlet {
  private static final long serialVersionUID = 1;

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("text/plain");
    switch (request.getPathInfo()) {
      case "/work" -> {
        pause(300);
        request.getInputStream().transferTo(response.getOutputStream());
      }
      case "/later" -> {
        AsyncContext context = request.startAsync();
        CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
            .execute(() -> answer(context));
      }
      case "/stream" -> {
        for (int i = 0; i < 10; i++) {
          response.getOutputStream().print("line " + i + "\n");
          response.flushBuffer();
          pause(100);
        }
      }
      default -> response.getOutputStream().print("ok");
    }
  }

  private static void answer(AsyncContext context) {
    try {
      context.getResponse().getOutputStream().print("ok");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } finally {
      context.complete();
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
