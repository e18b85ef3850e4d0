package io.lastcall.agent.server;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.server.DecoratingHttpServiceFunction;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.TransientService;
import io.lastcall.connection.EndlessResponse;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;

/** Counts each request until its response has been sent, and marks that. */
final class ArmeriaCounting implements DecoratingHttpServiceFunction {
  private static final int SWITCHING_PROTOCOLS = 101;

  private final RequestGate gate;
  private final ArmeriaStop stop;

  ArmeriaCounting(RequestGate gate, ArmeriaStop stop) {
    this.gate = gate;
    this.stop = stop;
  }

  @Override
  public HttpResponse serve(HttpService next, ServiceRequestContext ctx, HttpRequest request)
      throws Exception {
    if (next.as(TransientService.class) != null) {
      // A health check may wait a minute for a change. Armeria's own shutdown does not count it.
      return next.serve(ctx, request);
    }
    Permit permit = new Permit() {};
    if (!gate.enter(permit)) {
      ResponseHeadersBuilder refusal = ResponseHeaders.builder(RequestGate.REFUSED_STATUS);
      RequestGate.refusalHeaders(false).forEach(refusal::set);
      return HttpResponse.of(refusal.build());
    }
    var unused =
        ctx.log()
            .whenComplete()
            .thenAccept(
                log -> {
                  stop.ended(ctx.config().server(), log);
                  permit.release();
                });
    return next.serve(ctx, request).mapHeaders(head -> mark(head, request.method(), permit));
  }

  /** In place of the header, HTTP/2 has a GOAWAY, which Armeria sends then. */
  private ResponseHeaders mark(ResponseHeaders head, HttpMethod method, Permit permit) {
    if (EndlessResponse.isKnown(
        method.name(), head.status().code(), head.get("content-type"), null)) {
      permit.release(); // its client comes back by itself
    }
    return gate.shouldCloseConnection() && head.status().code() != SWITCHING_PROTOCOLS
        ? head.withMutations(builder -> builder.set("connection", "close"))
        : head;
  }
}
