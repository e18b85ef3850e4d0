package io.lastcall.spring;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A context's server. Once the context is closed, it is one that has ended. */
record LentServer(Lent<DrainableServer> lent) implements DrainableServer {
  @Override
  public String name() {
    DrainableServer server = lent.get();
    return server == null ? "server of a closed context" : server.name();
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    DrainableServer server = lent.get();
    return server == null ? List.of() : server.connections();
  }

  @Override
  public Collection<String> unregistered() {
    DrainableServer server = lent.get();
    return server == null ? List.of() : server.unregistered();
  }

  @Override
  public void stopListening(Deadline deadline) throws Exception {
    DrainableServer server = lent.get();
    if (server != null) {
      server.stopListening(deadline);
    }
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    DrainableServer server = lent.get();
    return server == null ? CompletableFuture.completedFuture(null) : server.connectionsEnded();
  }

  @Override
  public void stop(Deadline deadline) throws Exception {
    DrainableServer server = lent.get();
    if (server != null) {
      server.stop(deadline);
    }
  }
}
