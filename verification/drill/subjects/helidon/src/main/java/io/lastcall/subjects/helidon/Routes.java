package io.lastcall.subjects.helidon;

import io.helidon.http.HeaderValues;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The application: of shutdowns it knows that an event stream is told to end. */
final class Routes {
  private static final int PIECE_MILLIS = 100;

  private Routes() {}

  static HttpRouting.Builder add(HttpRouting.Builder routing, Connections connections) {
    for (String probe : new String[] {"/livez", "/readyz", "/startupz"}) {
      // Reached only without the library, which answers them itself.
      routing.get(probe, (request, response) -> response.send("ok\n"));
    }
    return routing
        .get("/fast", (request, response) -> response.send("fast\n"))
        .get("/work", Routes::work)
        .get("/stream", (request, response) -> stream(request, response, "s".repeat(100)))
        .post(
            "/stream",
            (request, response) -> {
              response.header(HeaderValues.create("Content-Type", "text/event-stream"));
              stream(request, response, "data:" + "s".repeat(93) + "\n\n");
            })
        .post("/upload", Routes::upload)
        .get("/sse", (request, response) -> events(response, connections))
        .error(
            NumberFormatException.class,
            (request, response, failure) -> response.status(400).send("bad request\n"));
  }

  private static void work(ServerRequest request, ServerResponse response)
      throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis(request));
    response.send("w".repeat(1_000));
  }

  private static void stream(ServerRequest request, ServerResponse response, String text)
      throws IOException, InterruptedException {
    long pieces = millis(request) / PIECE_MILLIS;
    try (OutputStream out = response.outputStream()) {
      for (long piece = 0; piece < pieces; piece++) {
        TimeUnit.MILLISECONDS.sleep(PIECE_MILLIS);
        out.write(text.getBytes(StandardCharsets.US_ASCII));
        out.flush();
      }
    }
  }

  private static void upload(ServerRequest request, ServerResponse response) throws IOException {
    long length = request.content().inputStream().transferTo(OutputStream.nullOutputStream());
    response.send(Long.toString(length));
  }

  /** An event each 500 ms, until the library tells the stream to end. */
  private static void events(ServerResponse response, Connections connections)
      throws IOException, InterruptedException {
    EventStream stream = new EventStream(new CountDownLatch(1));
    Registration registration = connections.register(stream);
    response.header(HeaderValues.create("Content-Type", "text/event-stream"));
    response.header(HeaderValues.CONNECTION_CLOSE);
    try (OutputStream out = response.outputStream()) {
      do {
        out.write("data: tick\n\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
      } while (!stream.end.await(5 * PIECE_MILLIS, TimeUnit.MILLISECONDS));
    } finally {
      registration.closed();
    }
  }

  private static long millis(ServerRequest request) {
    return Long.parseLong(request.query().first("ms").orElse("0"));
  }

  private record EventStream(CountDownLatch end) implements LongLivedConnection {
    @Override
    public String kind() {
      return "sse";
    }

    @Override
    public void close() {
      end.countDown();
    }
  }
}
