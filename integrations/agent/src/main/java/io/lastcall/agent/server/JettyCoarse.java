package io.lastcall.agent.server;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.OpenRequests;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.server.NetworkConnector;

/**
 * A connector of Jetty 9.4 to 11, by its public API. Its filter is in place, and the requests that
 * this does not count are open ones.
 */
record JettyCoarse(String name, NetworkConnector connector, OpenRequests open)
    implements DrainableServer {
  @Override
  public Collection<? extends HttpConnection> connections() {
    return open.connections();
  }

  @Override
  public boolean listsConnections() {
    return false;
  }

  @Override
  public Counting counting() {
    return Counting.IN_PLACE;
  }

  @Override
  public void stopListening(Deadline deadline) {
    connector.close();
    open.awaitNone(deadline);
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return open.allEnded();
  }

  @Override
  public void stop(Deadline deadline) throws IOException {
    open.refuseToCut();
  }
}
