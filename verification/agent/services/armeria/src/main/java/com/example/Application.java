package com.example;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** An answer at once, one that takes a thread 300 ms, one that comes later, and a stream. */
public class Application {
  public static void main(String[] args) {
    Server server =
        Server.builder()
            .http(Integer.parseInt(args[0]))
            .service("/fast", (ctx, request) -> HttpResponse.of("ok"))
            .service("/work", Application::work)
            .service(
                "/later",
                (ctx, request) -> HttpResponse.delayed(HttpResponse.of("ok"), Duration.ofMillis(300)))
            .service("/stream", Application::stream)
            .build();
    server.closeOnJvmShutdown();
    server.start().join();
  }

  private static HttpResponse work(ServiceRequestContext ctx, HttpRequest request) {
    return HttpResponse.of(
        request
            .aggregate()
            .thenApplyAsync(
                whole -> {
                  try {
                    Thread.sleep(300);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  return HttpResponse.of(whole.contentUtf8());
                },
                ctx.blockingTaskExecutor()));
  }

  private static HttpResponse stream(ServiceRequestContext ctx, HttpRequest request) {
    HttpResponseWriter response = HttpResponse.streaming();
    response.write(ResponseHeaders.of(200));
    line(ctx, response, 0);
    return response;
  }

  private static void line(ServiceRequestContext ctx, HttpResponseWriter response, int number) {
    if (number == 10) {
      response.close();
    } else if (response.tryWrite(HttpData.ofUtf8("line " + number + "\n"))) {
      ctx.eventLoop()
          .schedule(() -> line(ctx, response, number + 1), 100, TimeUnit.MILLISECONDS);
    }
  }
}
