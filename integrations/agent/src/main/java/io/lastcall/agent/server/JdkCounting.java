package io.lastcall.agent.server;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import java.io.IOException;

/** Counts each exchange while its handler runs, and marks its response. */
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
    boolean admitted = gate.enter(permit);
    try {
      if (!admitted) {
        RequestGate.refusalHeaders(false).forEach(exchange.getResponseHeaders()::set);
        exchange.sendResponseHeaders(RequestGate.REFUSED_STATUS, -1);
        exchange.close();
        return;
      }
      if (gate.shouldCloseConnection()) {
        exchange.getResponseHeaders().set("Connection", "close");
      }
      chain.doFilter(exchange);
    } finally {
      if (admitted) {
        permit.release();
      }
    }
  }
}
