package io.lastcall.agent.server;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsExchange;
import io.lastcall.connection.Connections;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import java.io.IOException;

/** Counts each exchange until its response has ended, and marks that. */
final class JdkCounting extends Filter {
  private final RequestGate gate;
  private final Connections connections;

  JdkCounting(RequestGate gate, Connections connections) {
    this.gate = gate;
    this.connections = connections;
  }

  @Override
  public String description() {
    return "Lastcall";
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
              ? new JdkTlsExchange(tls, permit, connections)
              : new JdkExchange(exchange, permit, connections));
    } catch (IOException | RuntimeException | Error failure) {
      permit.release(); // the server closes the connection
      throw failure;
    }
  }
}
