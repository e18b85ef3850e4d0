package io.lastcall.servlet.jetty;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.servlet.ContainerAdapter;
import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.OpenRequests;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.jetty.DrainingRequest.DrainingStream;
import io.lastcall.time.Deadline;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.NetworkConnector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * A Jetty connector in its role in a shutdown. {@link #stop} ends the other connectors of the same
 * server too, such as one for probes: they answer until then. Jetty's own graceful shutdown, {@code
 * setStopAtShutdown} and {@code GracefulHandler}, must stay off: it closes the listener first.
 * Where Jetty lacks a member that is used, a warning names it, and the connector is drained without
 * knowing its connections.
 */
public final class JettyServer implements DrainableServer {
  private final NetworkConnector connector;

  /** Null: another connector, and the server has the coarse role. */
  private final @Nullable LastcallConnector draining;

  private final ShutdownFilter filter;

  /** In the coarse role alone, which a connector may turn out to have as it starts. */
  private final OpenRequests open;

  /**
   * @param connector the one to drain; started later
   * @param filter the filter that the connector's requests pass
   * @throws IllegalStateException if the connector runs already, and a protocol of it cannot be
   *     drained without loss; otherwise its start fails then
   */
  public JettyServer(LastcallConnector connector, ShutdownFilter filter) {
    this(connector, filter, false);
  }

  private JettyServer(NetworkConnector connector, ShutdownFilter filter, boolean mayBeCoarse) {
    this.connector = connector;
    this.filter = filter;
    this.draining = connector instanceof LastcallConnector ours ? ours : null;
    Optional<String> problem =
        draining == null
            ? Optional.of(
                "%s cannot be drained without loss; allowed is %s"
                    .formatted(connector.getClass().getName(), LastcallConnector.class.getName()))
            : JettyInternals.problem();
    if (draining == null || problem.isPresent()) {
      ContainerInternals.warnOfCoarseDrain(problem.orElseThrow(), name());
    } else {
      JettyInternals.informIfUntested();
      draining.serve(filter.gate(), mayBeCoarse);
      filter.add(new JettyRequests());
    }
    open = OpenRequest.follow(connector, () -> exact() == null);
    filter.add(open);
  }

  /**
   * As the constructor, for frameworks whose users configure the connector: one that cannot be
   * drained without loss has the coarse role, and a warning says why; its start does not fail.
   */
  public static JettyServer of(NetworkConnector connector, ShutdownFilter filter) {
    return new JettyServer(connector, filter, true);
  }

  /**
   * Says which member that a drain without loss uses is missing in this Jetty, if one is. For the
   * build of a native image, which cannot look for them when it runs.
   */
  public static Optional<String> problem() {
    return JettyInternals.problem();
  }

  @Override
  public String name() {
    int open = connector.getLocalPort();
    return "jetty:" + (open > 0 ? open : connector.getPort());
  }

  @Override
  public Collection<String> unregistered() {
    return Arrays.stream(connector.getServer().getConnectors())
        .filter(other -> other != connector && !isServed(other))
        .map(other -> "another connector, " + other)
        .toList();
  }

  /** Missing where the server runs and no application has the filter. */
  @Override
  public Counting counting() {
    if (filter.isInPlace()) {
      return Counting.IN_PLACE;
    }
    return connector.isStarted() && connector.getServer().isStarted()
        ? Counting.MISSING
        : Counting.UNKNOWN;
  }

  private static boolean isServed(Connector other) {
    return other instanceof LastcallConnector ours && ours.isServed();
  }

  /** Returns the connector that is drained without loss; null in the coarse role. */
  private @Nullable LastcallConnector exact() {
    return draining != null && draining.isServed() ? draining : null;
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    LastcallConnector exact = exact();
    return exact == null ? open.connections() : exact.endPoints();
  }

  @Override
  public boolean listsConnections() {
    return exact() != null;
  }

  @Override
  public void stopListening(Deadline deadline) throws IOException {
    LastcallConnector exact = exact();
    if (exact != null && exact.isOpen()) {
      exact.acceptQueuedThenClose(deadline);
    } else {
      connector.close();
      open.awaitNone(deadline);
    }
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    LastcallConnector exact = exact();
    return exact == null ? open.allEnded() : exact.settle();
  }

  /**
   * Ends acceptors and selectors of every connector, and the thread pool, which waits for nobody.
   * The applications are not stopped: an application that needs its {@code contextDestroyed} or
   * {@code destroy} calls adds a step that stops its {@code ServletContextHandler}.
   */
  @Override
  public void stop(Deadline deadline) throws Exception {
    try {
      refuseToCut();
    } finally {
      endThreads(connector.getServer());
    }
  }

  /**
   * As {@link #stop}, where the server goes on: for an application that ends it itself.
   *
   * @throws IOException if, in the coarse role, a request has no complete response yet
   */
  public void refuseToCut() throws IOException {
    open.refuseToCut();
  }

  private static void endThreads(Server server) throws Exception {
    for (Connector each : server.getConnectors()) {
      each.stop();
    }
    // By default it waits for its threads, which only wait for work themselves.
    if (server.getThreadPool() instanceof QueuedThreadPool pool) {
      pool.setStopTimeout(0);
    }
    LifeCycle.stop(server.getThreadPool());
  }

  /** Finds the request below a servlet's, and notifies its stream. */
  private static final class JettyRequests implements ContainerAdapter {
    @Override
    public void longLived(HttpServletRequest request) {
      tell(request, DrainingStream::becomeLongLived);
    }

    @Override
    public void probed(HttpServletRequest request) {
      DrainingRequest draining = DrainingRequest.of(request);
      if (draining != null && !draining.probed()) {
        longLived(request);
      }
    }

    @Override
    public void async(HttpServletRequest request, Runnable over) {
      tell(request, stream -> stream.async(over));
    }

    private static void tell(HttpServletRequest request, Consumer<DrainingStream> news) {
      DrainingRequest draining = DrainingRequest.of(request);
      DrainingStream stream = draining == null ? null : draining.wrapStream();
      if (stream != null) {
        news.accept(stream);
      }
    }

    @Override
    public boolean isClientGone(HttpServletRequest request) {
      DrainingRequest draining = DrainingRequest.of(request);
      return draining != null && draining.isClientGone();
    }

    @Override
    public @Nullable AcceptedConnection accepted(HttpServletRequest request) {
      DrainingRequest draining = DrainingRequest.of(request);
      return draining == null ? null : draining.accepted();
    }
  }
}
