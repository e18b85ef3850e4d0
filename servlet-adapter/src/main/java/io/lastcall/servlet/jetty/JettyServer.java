package io.lastcall.servlet.jetty;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.Attempts;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.UpgradedConnection;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * A Jetty connector in its role in a shutdown. {@link #stop} ends the other connectors of the same
 * server too, such as one for probes: they answer until then. Jetty's own graceful shutdown, {@code
 * setStopAtShutdown} and {@code GracefulHandler}, must stay off: it closes the listener first.
 */
public final class JettyServer implements DrainableServer {
  private final LastcallConnector connector;

  /** What the listener had before it was closed; 0 before that. */
  private volatile int closedPort;

  /**
   * @param connector the one to drain; started later
   * @param filter the filter that the connector's requests pass
   * @throws IllegalStateException if the connector runs already, and a protocol of it cannot be
   *     drained without loss
   */
  public JettyServer(LastcallConnector connector, ShutdownFilter filter) {
    this.connector = connector;
    connector.serve(filter.gate());
    filter.add(new DrainingRequest.Adapter());
  }

  @Override
  public String name() {
    int open = connector.getLocalPort();
    int port = open > 0 ? open : closedPort;
    return "jetty:" + (port > 0 ? port : connector.getPort());
  }

  /**
   * Returns the connection that this thread upgrades: for {@code onOpen} of a WebSocket endpoint.
   *
   * @throws IllegalStateException if this thread upgrades no connection of a {@link
   *     LastcallConnector}
   */
  public UpgradedConnection currentConnection() {
    return DrainingStream.currentConnection();
  }

  @Override
  public Collection<String> unregistered() {
    return Arrays.stream(connector.getServer().getConnectors())
        .filter(other -> other != connector && !isServed(other))
        .map(other -> "another connector, " + other)
        .toList();
  }

  private static boolean isServed(Connector other) {
    return other instanceof LastcallConnector ours && ours.isServed();
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    return connector.endPoints();
  }

  @Override
  public void stopListening(Deadline deadline) throws IOException {
    if (connector.isOpen()) {
      closedPort = connector.getLocalPort();
      connector.acceptQueuedThenClose(deadline);
    }
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return connector.ledger().settle(connector.endPoints());
  }

  /**
   * Ends acceptors and selectors of every connector, and the thread pool, which waits for nobody;
   * each whatever happens to the one before it. The applications are not stopped: an application
   * that needs its {@code contextDestroyed} or {@code destroy} calls adds a step that stops its
   * {@code ServletContextHandler}.
   */
  @Override
  public void stop(Deadline deadline) throws Exception {
    Server server = connector.getServer();
    Attempts stops = new Attempts();
    for (Connector each : server.getConnectors()) {
      stops.attempt(each::stop);
    }
    // By default it waits for its threads, which only wait for work themselves.
    if (server.getThreadPool() instanceof QueuedThreadPool pool) {
      pool.setStopTimeout(0);
    }
    stops.attempt(() -> LifeCycle.stop(server.getThreadPool()));
    stops.throwFailure();
  }
}
