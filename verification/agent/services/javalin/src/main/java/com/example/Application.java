package com.example;

import io.javalin.Javalin;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** An answer at once, one that takes its thread 300 ms, one that comes later, and a stream. */
public class Application {
  public static void main(String[] args) {
    Javalin.create(
            config -> {
              config.routes.get("/fast", context -> context.result("ok"));
              config.routes.post("/work", Application::work);
              config.routes.get("/later", Application::later);
              config.routes.get("/stream", Application::stream);
            })
        .start(Integer.parseInt(args[0]));
  }

  private static void work(Context context) throws InterruptedException {
    Thread.sleep(300);
    context.result(context.body());
  }

  private static void later(Context context) {
    context.future(
        () ->
            CompletableFuture.supplyAsync(
                    () -> "ok",
                    CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS))
                .thenAccept(context::result));
  }

  private static void stream(Context context) throws IOException, InterruptedException {
    context.contentType("text/plain");
    OutputStream out = context.outputStream();
    for (int i = 0; i < 10; i++) {
      out.write(("line " + i + "\n").getBytes(StandardCharsets.UTF_8));
      out.flush();
      Thread.sleep(100);
    }
  }
}
