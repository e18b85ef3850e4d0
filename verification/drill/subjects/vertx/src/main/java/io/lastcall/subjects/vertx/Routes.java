package io.lastcall.subjects.vertx;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** The application: it knows nothing of shutdowns. */
final class Routes implements Handler<HttpServerRequest> {
  private static final int PIECE_MILLIS = 100;

  private final Vertx vertx;

  Routes(Vertx vertx) {
    this.vertx = vertx;
  }

  @Override
  public void handle(HttpServerRequest request) {
    try {
      route(request, request.response());
    } catch (IllegalArgumentException e) {
      // Of the query. Vert.x would log it and never answer.
      request.response().setStatusCode(400).end("bad request\n");
    }
  }

  private void route(HttpServerRequest request, HttpServerResponse response) {
    switch (request.path()) {
      case "/fast" -> response.end("fast\n");
      case "/work" -> after(millis(request), () -> response.end("w".repeat(1_000)));
      case "/stream" -> stream(request, response.setChunked(true));
      case "/upload" ->
          request.end().onSuccess(end -> response.end(Long.toString(request.bytesRead())));
      case "/sse" -> events(response);
      // Reached only without the library, which answers them itself.
      case "/livez", "/readyz", "/startupz" -> response.end("ok\n");
      default -> response.setStatusCode(404).end("not found\n");
    }
  }

  /** In answer to POST each piece is an event. */
  private void stream(HttpServerRequest request, HttpServerResponse response) {
    boolean events = request.method().equals(HttpMethod.POST);
    if (events) {
      response.putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream");
    }
    String piece = events ? "data:" + "s".repeat(93) + "\n\n" : "s".repeat(100);
    stream(response, piece, millis(request) / PIECE_MILLIS);
  }

  private void stream(HttpServerResponse response, String piece, long left) {
    if (left <= 0) {
      response.end();
      return;
    }
    // It goes on only where there is still a client.
    after(
        PIECE_MILLIS,
        () -> response.write(piece).onSuccess(sent -> stream(response, piece, left - 1)));
  }

  private void events(HttpServerResponse response) {
    response.setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, "text/event-stream");
    response.write("data: tick\n\n");
    long ticks = vertx.setPeriodic(5 * PIECE_MILLIS, tick -> response.write("data: tick\n\n"));
    response.closeHandler(closed -> vertx.cancelTimer(ticks));
  }

  private static long millis(HttpServerRequest request) {
    return Long.parseLong(request.getParam("ms", "0"));
  }

  private void after(long millis, Runnable action) {
    vertx.setTimer(Math.max(1, millis), timer -> action.run()); // it has none of 0 ms
  }
}
