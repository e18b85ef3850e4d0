package io.lastcall.agent.service;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import java.util.Collection;
import java.util.concurrent.CompletionStage;

/**
 * A server whose threads go on to the process's end: the application's own hooks run after the last
 * phase, may need them, and end what they have always ended.
 */
record LeftRunning(DrainableServer server) implements DrainableServer {
  @Override
  public String name() {
    return server.name();
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    return server.connections();
  }

  @Override
  public boolean listsConnections() {
    return server.listsConnections();
  }

  @Override
  public Counting counting() {
    return server.counting();
  }

  @Override
  public void stopListening(Deadline deadline) throws Exception {
    server.stopListening(deadline);
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return server.connectionsEnded();
  }

  @Override
  public void stop(Deadline deadline) {
    // The application does.
  }
}
