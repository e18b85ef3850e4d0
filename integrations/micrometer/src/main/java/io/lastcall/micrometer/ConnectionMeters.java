package io.lastcall.micrometer;

import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.CloseCause;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;

/** Long-lived connections by kind; a kind has its meters from its first connection on. */
final class ConnectionMeters {
  private static final String CONNECTIONS = "connections";
  private static final String KIND = "kind";

  private final Connections connections;

  ConnectionMeters(Connections connections) {
    this.connections = connections;
  }

  void bind(Binding binding) {
    connections.onKind(kind -> bind(binding, kind));
  }

  private void bind(Binding binding, String kind) {
    binding.meter(
        Gauge.builder("lastcall.open.connections", connections, it -> it.open(kind))
                .description("Long-lived connections open")
                .baseUnit(CONNECTIONS)
                .tag(KIND, kind)
                .strongReference(true)
            ::register);
    for (CloseCause cause : CloseCause.values()) {
      binding.meter(
          FunctionCounter.builder(
                      "lastcall.closed.connections", connections, it -> it.closed(kind, cause))
                  .description("Long-lived connections that have ended, by cause")
                  .baseUnit(CONNECTIONS)
                  .tag(KIND, kind)
                  .tag("cause", ShutdownMetrics.lower(cause))
              ::register);
    }
  }
}
