package io.lastcall.agent.server;

import io.lastcall.connection.EndlessResponse;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.HttpString;

/** Counts each exchange until it is complete, and marks its response. */
final class UndertowCounting implements HttpHandler {
  private final HttpHandler application;
  private final RequestGate gate;

  UndertowCounting(HttpHandler application, RequestGate gate) {
    this.application = application;
    this.gate = gate;
  }

  @Override
  public void handleRequest(HttpServerExchange exchange) throws Exception {
    Permit permit = new Permit() {};
    if (!gate.enter(permit)) {
      exchange.setStatusCode(RequestGate.REFUSED_STATUS);
      RequestGate.refusalHeaders(false)
          .forEach((name, value) -> exchange.getResponseHeaders().put(new HttpString(name), value));
      exchange.endExchange();
      return;
    }
    exchange.addExchangeCompleteListener(
        (complete, next) -> {
          permit.release();
          next.proceed();
        });
    exchange.addResponseCommitListener(committed -> mark(committed, permit));
    application.handleRequest(exchange);
  }

  /** As the head is about to leave. */
  private void mark(HttpServerExchange exchange, Permit permit) {
    String type = exchange.getResponseHeaders().getFirst(Headers.CONTENT_TYPE);
    if (EndlessResponse.isKnown(
        exchange.getRequestMethod().toString(), exchange.getStatusCode(), type, null)) {
      permit.release(); // its client comes back by itself
    }
    if (gate.shouldCloseConnection() && !exchange.isUpgrade()) {
      exchange.getResponseHeaders().put(Headers.CONNECTION, "close");
    }
  }
}
