package io.lastcall.servlet.tomcat;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.servlet.ContainerAdapter;
import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.time.Deadline;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.catalina.Engine;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Service;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.jspecify.annotations.Nullable;

/**
 * A Tomcat connector in its role in a shutdown. The connector's protocol must be a {@link
 * LastcallProtocol}. {@link #stop} ends the other connectors of the same Tomcat too, such as one
 * for probes: they answer until then. Where Tomcat lacks a member that is used, a warning names it,
 * and the connector is drained without knowing its connections.
 */
public final class TomcatServer implements DrainableServer {
  private final Connector connector;

  /** Null: another protocol's, and the server has the coarse role. */
  private final @Nullable DrainingEndpoint endpoint;

  private final ShutdownFilter filter;

  /**
   * @param connector the one to drain; may be started later
   * @param filter the filter that the connector's requests pass
   * @throws IllegalArgumentException if the connector's protocol is another
   * @throws IllegalStateException if the connector runs already, and something of it cannot be
   *     drained without loss; otherwise its start fails then
   */
  public TomcatServer(Connector connector, ShutdownFilter filter) {
    this(connector, filter, false);
    if (endpoint == null) {
      throw new IllegalArgumentException(another(connector));
    }
  }

  private TomcatServer(Connector connector, ShutdownFilter filter, boolean mayBeCoarse) {
    this.connector = connector;
    this.filter = filter;
    this.endpoint =
        connector.getProtocolHandler() instanceof LastcallProtocol protocol
            ? protocol.endpoint()
            : null;
    Optional<String> problem =
        endpoint == null ? Optional.of(another(connector)) : TomcatInternals.problem();
    if (problem.isEmpty() && connector.getProtocolHandler() instanceof LastcallProtocol protocol) {
      TomcatInternals.informIfUntested();
      protocol.serve(filter.gate(), mayBeCoarse);
      filter.add(new TomcatRequests());
    } else if (endpoint != null || mayBeCoarse) {
      // Where it is not initialised yet: what closes its listener by Tomcat's public API.
      connector.setProperty("bindOnInit", "false");
      ContainerInternals.warnOfCoarseDrain(problem.orElseThrow(), name());
    }
  }

  /**
   * As the constructor, for frameworks whose users configure the connector: one that cannot be
   * drained without loss has the coarse role, and a warning says why; its start does not fail.
   */
  public static TomcatServer of(Connector connector, ShutdownFilter filter) {
    return new TomcatServer(connector, filter, true);
  }

  /**
   * Says which member that a drain without loss uses is missing in this Tomcat, if one is. For the
   * build of a native image, which cannot look for them when it runs.
   */
  public static Optional<String> problem() {
    return TomcatInternals.problem();
  }

  private static String another(Connector connector) {
    return "Connector protocol %s cannot be drained without loss; allowed is %s"
        .formatted(connector.getProtocolHandlerClassName(), LastcallProtocol.class.getName());
  }

  @Override
  public String name() {
    int open = connector.getLocalPort();
    return "tomcat:" + (open > 0 ? open : connector.getPort());
  }

  @Override
  public Collection<String> unregistered() {
    Service service = connector.getService();
    return service == null
        ? List.of()
        : Arrays.stream(service.findConnectors())
            .filter(other -> other != connector && !isServed(other))
            .map(other -> "a connector on port " + other.getPort())
            .toList();
  }

  /** Missing where an application runs, the connector too, and no application has the filter. */
  @Override
  public Counting counting() {
    if (filter.isInPlace()) {
      return Counting.IN_PLACE;
    }
    return connector.getState().isAvailable() && hasApplication()
        ? Counting.MISSING
        : Counting.UNKNOWN;
  }

  private boolean hasApplication() {
    Engine engine = connector.getService().getContainer();
    return engine != null
        && Stream.of(engine.findChildren())
            .flatMap(host -> Stream.of(host.findChildren()))
            .anyMatch(application -> application.getState().isAvailable());
  }

  private static boolean isServed(Connector other) {
    return other.getProtocolHandler() instanceof LastcallProtocol protocol
        && protocol.endpoint().isServed();
  }

  @Override
  public Collection<? extends HttpConnection> connections() {
    return endpoint == null ? List.of() : endpoint.connections();
  }

  @Override
  public boolean listsConnections() {
    return endpoint != null && endpoint.isServed();
  }

  /**
   * @throws IOException if the queue was not accepted in time; the listener is closed then too
   * @throws LifecycleException from Tomcat, in the coarse role
   */
  @Override
  public void stopListening(Deadline deadline) throws IOException, LifecycleException {
    if (connector.getLocalPort() <= 0) {
      return;
    }
    if (endpoint != null && endpoint.isServed()) {
      endpoint.acceptQueuedThenClose(deadline);
      return;
    }
    if (endpoint != null) {
      connector.getProtocolHandler().closeServerSocketGraceful();
    }
    if (connector.getLocalPort() > 0) {
      // Bound as it was initialised: Tomcat closes that listener only with the whole connector. So
      // is one of NIO2, whose acceptor fails where it is closed alone.
      stopNow(connector);
      connector.destroy();
    }
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return endpoint == null ? CompletableFuture.completedFuture(null) : endpoint.settle();
  }

  /**
   * Ends the threads of every connector of this Tomcat. The applications are not stopped: that
   * takes Tomcat tens of milliseconds, most of them for what matters only if the process lives on,
   * and seconds if a servlet is in use. An application that needs its {@code contextDestroyed} or
   * {@code destroy} calls adds a step that stops its {@code Context}.
   */
  @Override
  public void stop(Deadline deadline) throws LifecycleException {
    if (connector.getService() == null) {
      // Stopped and taken out of its Tomcat by the application.
      return;
    }
    for (Service service : connector.getService().getServer().findServices()) {
      for (Connector each : service.findConnectors()) {
        stopNow(each);
      }
    }
  }

  private static void stopNow(Connector connector) throws LifecycleException {
    if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol) {
      protocol.setProperty("executorTerminationTimeoutMillis", "0");
    }
    if (connector.getState().isAvailable()) {
      connector.pause();
      connector.stop();
    }
  }

  private static final class TomcatRequests implements ContainerAdapter {
    @Override
    public void longLived(HttpServletRequest request) {
      Object known = request.getAttribute(LastcallProtocol.ATTRIBUTE);
      if (known instanceof TomcatConnection connection) {
        connection.becameLongLived();
      } else if (known instanceof LastcallHttp2Protocol.ExchangeCounter.Exchange exchange) {
        exchange.becameLongLived();
      }
    }

    @Override
    public void probed(HttpServletRequest request) {
      if (request.getAttribute(LastcallProtocol.ATTRIBUTE) instanceof TomcatConnection connection) {
        connection.probed();
      } else {
        longLived(request);
      }
    }

    @Override
    public boolean isClientGone(HttpServletRequest request) {
      return request.getAttribute(LastcallProtocol.ATTRIBUTE) instanceof TomcatConnection connection
          && connection.isClientGone();
    }

    @Override
    public @Nullable AcceptedConnection accepted(HttpServletRequest request) {
      Object known = request.getAttribute(LastcallProtocol.ATTRIBUTE);
      if (known instanceof TomcatConnection connection) {
        return connection.accepted();
      }
      return known instanceof LastcallHttp2Protocol.ExchangeCounter.Exchange exchange
          ? exchange.accepted()
          : null;
    }
  }
}
