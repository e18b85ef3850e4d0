package io.lastcall.subjects.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** {@code /sse}: an event each 500 ms, until the library tells the stream to end. */
final class Events implements HttpHandler {
  private static final byte[] EVENT = "data: tick\n\n".getBytes(StandardCharsets.US_ASCII);

  private final Connections connections;

  Events(Connections connections) {
    this.connections = connections;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    EventStream stream = new EventStream(new CountDownLatch(1));
    Registration registration = connections.register(stream);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
      exchange.getResponseHeaders().set("Connection", "close");
      exchange.sendResponseHeaders(200, 0);
      OutputStream out = exchange.getResponseBody();
      do {
        out.write(EVENT);
        out.flush();
      } while (!stream.end.await(500, TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      registration.closed();
    }
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
