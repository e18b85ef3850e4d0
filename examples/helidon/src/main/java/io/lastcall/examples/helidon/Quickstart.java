package io.lastcall.examples.helidon;

import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.Filter;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;

/** What a service on Helidon SE needs to leave without losing a request. */
public final class Quickstart {
  private Quickstart() {}

  /** Starts an application that answers 204 on port 8080. */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    serve(
        shutdown,
        WebServer.builder().port(8080),
        HttpRouting.builder()
            .addFilter(counting(shutdown))
            .get("/", (request, response) -> response.status(204).send()));
  }

  public static WebServer serve(
      GracefulShutdown shutdown, WebServerConfig.Builder builder, HttpRouting.Builder routing) {
    // Helidon's own hook stops the server at SIGTERM.
    WebServer server = builder.shutdownHook(false).routing(routing).build();
    shutdown.server(DrainableServer.of("helidon", deadline -> server.stop(), deadline -> {}));
    server.start();
    shutdown.started();
    return server;
  }

  /** Answers probes, counts the other requests, and marks their responses. */
  public static Filter counting(GracefulShutdown shutdown) {
    RequestGate gate = shutdown.gate();
    return (chain, request, response) -> {
      if (shutdown.probes().isProbe(request.path().path())) {
        probe(shutdown.probes(), request, response);
        return;
      }
      Permit permit = new Permit() {};
      if (!gate.enter(permit)) {
        RequestGate.refusalHeaders(false).forEach(response::header);
        response.status(RequestGate.REFUSED_STATUS).send();
        return;
      }
      try {
        response.beforeSend(
            () -> {
              if (gate.shouldCloseConnection()) {
                response.header(HeaderValues.CONNECTION_CLOSE);
              }
            });
        chain.proceed();
      } finally {
        permit.release();
      }
    };
  }

  private static void probe(Probes probes, RoutingRequest request, RoutingResponse response) {
    ProbeAnswer answer =
        probes
            .answer(
                ProbeRequest.of(
                    request.prologue().method().text(),
                    request.path().rawPath()
                        + (request.query().isEmpty() ? "" : "?" + request.query().rawValue()),
                    name -> request.headers().first(HeaderNames.create(name)).orElse(null)))
            .toCompletableFuture()
            .join();
    answer.headers().forEach(response::header);
    response.status(answer.status()).send(answer.body());
  }
}
