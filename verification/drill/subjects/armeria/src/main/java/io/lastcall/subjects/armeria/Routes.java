package io.lastcall.subjects.armeria;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpResponseWriter;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** The application: of shutdowns it knows that an event stream is told to end. */
final class Routes {
  private static final int PIECE_MILLIS = 100;

  private Routes() {}

  static ServerBuilder add(ServerBuilder builder, Connections connections) {
    for (String probe : new String[] {"/livez", "/readyz", "/startupz"}) {
      // Reached only without the library, which answers them itself.
      builder.service(probe, (ctx, request) -> HttpResponse.of("ok\n"));
    }
    return builder
        .service("/fast", (ctx, request) -> HttpResponse.of("fast\n"))
        .service("/work", (ctx, request) -> work(ctx))
        .service("/stream", (ctx, request) -> stream(ctx))
        .service(
            "/upload",
            (ctx, request) ->
                HttpResponse.of(
                    request
                        .aggregate()
                        .thenApply(
                            whole -> HttpResponse.of(Long.toString(whole.content().length())))))
        .service("/sse", (ctx, request) -> events(ctx, connections));
  }

  private static HttpResponse work(ServiceRequestContext ctx) {
    try {
      Duration time = Duration.ofMillis(Math.max(0, millis(ctx)));
      return HttpResponse.delayed(HttpResponse.of("w".repeat(1_000)), time);
    } catch (NumberFormatException e) {
      return HttpResponse.of(HttpStatus.BAD_REQUEST);
    }
  }

  private static HttpResponse stream(ServiceRequestContext ctx) {
    boolean events = ctx.method() == HttpMethod.POST;
    HttpResponseWriter response = HttpResponse.streaming();
    response.write(
        events
            ? ResponseHeaders.of(HttpStatus.OK, "content-type", MediaType.EVENT_STREAM)
            : ResponseHeaders.of(200));
    String piece = events ? "data:" + "s".repeat(93) + "\n\n" : "s".repeat(100);
    write(ctx, response, piece, millis(ctx) / PIECE_MILLIS);
    return response;
  }

  /** It goes on only where there is still a client. */
  private static void write(
      ServiceRequestContext ctx, HttpResponseWriter response, String text, long pieces) {
    if (pieces <= 0) {
      response.close();
      return;
    }
    Runnable piece =
        () -> {
          if (response.tryWrite(HttpData.ofAscii(text))) {
            write(ctx, response, text, pieces - 1);
          }
        };
    var unused = ctx.eventLoop().schedule(piece, PIECE_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** An event each 500 ms, until the library tells the stream to end. */
  private static HttpResponse events(ServiceRequestContext ctx, Connections connections) {
    HttpResponseWriter response = HttpResponse.streaming();
    response.write(ResponseHeaders.of(HttpStatus.OK, "content-type", MediaType.EVENT_STREAM));
    ScheduledFuture<?> ticks =
        ctx.eventLoop()
            .scheduleAtFixedRate(
                () -> {
                  var unused = response.tryWrite(HttpData.ofAscii("data: tick\n\n"));
                },
                0,
                5 * PIECE_MILLIS,
                TimeUnit.MILLISECONDS);
    Registration registration = connections.register(new EventStream(response));
    var unused =
        ctx.log()
            .whenComplete()
            .thenRun(
                () -> {
                  ticks.cancel(false);
                  registration.closed();
                });
    return response;
  }

  private static long millis(ServiceRequestContext ctx) {
    return Long.parseLong(ctx.queryParams().get("ms", "0"));
  }

  private record EventStream(HttpResponseWriter response) implements LongLivedConnection {
    @Override
    public String kind() {
      return "sse";
    }

    @Override
    public void close() {
      response.close();
    }
  }
}
