package io.lastcall.agent.server;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import java.io.IOException;

/** Counts each exchange until its response has ended, and marks that. */
final class JdkCounting extends Filter {
  private final RequestGate gate;

  JdkCounting(RequestGate gate) {
    this.gate = gate;
  }

  @Override
  public String description() {
    return "Lastcall's agent";
  }

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    Permit permit = new Permit() {};
    if (!gate.enter(permit)) {
      RequestGate.refusalHeaders(false).forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(RequestGate.REFUSED_STATUS, -1);
      exchange.close();
      return;
    }
    try {
      if (gate.shouldCloseConnection()) {
        exchange.getResponseHeaders().set("Connection", "close");
      }
      chain.doFilter(
          exchange instanceof HttpsExchange tls
              ? new JdkTlsExchange(tls, permit)
              : new JdkExchange(exchange, permit));
    } catch (IOException | RuntimeException | Error failure) {
      permit.release(); // the server closes the connection
      throw failure;
    }
  }
}
