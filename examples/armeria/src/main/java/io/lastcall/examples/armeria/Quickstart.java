package io.lastcall.examples.armeria;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.ProbeAnswer;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.time.Deadline;
import java.time.Duration;

/** What a service on Armeria needs to leave without losing a request. */
public final class Quickstart {
  private static final Duration LOOK = Duration.ofMillis(20);

  private Quickstart() {}

  /** Starts an application that answers 204 on port 8080. */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    serve(
        shutdown,
        Server.builder()
            .http(8080)
            .service("/", (ctx, request) -> HttpResponse.of(HttpStatus.NO_CONTENT))
            .decorator(counting(shutdown)));
  }

  public static Server serve(GracefulShutdown shutdown, ServerBuilder builder) {
    Server server = builder.build();
    shutdown.server(
        DrainableServer.of("armeria", deadline -> stop(server, deadline), deadline -> {}));
    server.start().join();
    shutdown.started();
    return server;
  }

  /**
   * Waits until the connections are closed: requests are served until then, and refused once this
   * returns. The threads end seconds later, and the exit does not wait for them.
   */
  private static void stop(Server server, Deadline deadline) {
    var unused = server.stop();
    Deadline end = deadline.atMost(deadline.remaining().multipliedBy(3).dividedBy(4));
    while (server.numConnections() > 0 && !end.hasPassed()) {
      end.atMost(LOOK).awaitPassed(server); // Armeria notifies nobody of it
    }
  }

  /** Answers probes, counts the other requests, and marks their responses. */
  public static DecoratingHttpServiceFunction counting(GracefulShutdown shutdown) {
    RequestGate gate = shutdown.gate();
    return (service, ctx, request) -> {
      if (shutdown.probes().isProbe(request.path())) {
        return HttpResponse.of(
            shutdown
                .probes()
                .answer(
                    ProbeRequest.of(
                        request.method().name(), request.path(), request.headers()::get))
                .thenApply(Quickstart::response));
      }
      Permit permit = new Permit() {};
      if (!gate.enter(permit)) {
        ResponseHeadersBuilder refusal = ResponseHeaders.builder(RequestGate.REFUSED_STATUS);
        RequestGate.refusalHeaders(false).forEach(refusal::set);
        return HttpResponse.of(refusal.build());
      }
      var unused = ctx.log().whenComplete().thenRun(permit::release);
      return service
          .serve(ctx, request)
          .mapHeaders(head -> gate.shouldCloseConnection() ? closing(head) : head);
    };
  }

  /** Armeria leaves it out of an HTTP/2 response, and sends a GOAWAY in its place. */
  private static ResponseHeaders closing(ResponseHeaders head) {
    return head.withMutations(builder -> builder.set(HttpHeaderNames.CONNECTION, "close"));
  }

  private static HttpResponse response(ProbeAnswer answer) {
    ResponseHeadersBuilder head = ResponseHeaders.builder(answer.status());
    answer.headers().forEach(head::set);
    return HttpResponse.of(head.build(), HttpData.ofUtf8(answer.body()));
  }
}
