package io.lastcall.servlet.tomcat;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.ContainerAdapter;
import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.time.Deadline;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.apache.catalina.Engine;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Service;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;

/**
 * A Tomcat connector in its role in a shutdown. The connector's protocol must be a {@link
 * LastcallProtocol}. {@link #stop} ends the other connectors of the same Tomcat too, such as one
 * for probes: they answer until then. Where Tomcat is not as tested, a warning says so, and the
 * connector is drained without knowing its connections.
 */
public final class TomcatServer implements DrainableServer {
  private final Connector connector;
  private final DrainingEndpoint endpoint;
  private final ShutdownFilter filter;

  /**
   * @param connector the one to drain; may be started later
   * @param filter the filter that the connector's requests pass
   * @throws IllegalArgumentException if the connector's protocol is another
   * @throws IllegalStateException if the connector runs already, and something of it cannot be
   *     drained without loss
   */
  public TomcatServer(Connector connector, ShutdownFilter filter) {
    if (!(connector.getProtocolHandler() instanceof LastcallProtocol protocol)) {
      throw new IllegalArgumentException(
          "Connector protocol "
              + connector.getProtocolHandlerClassName()
              + " cannot be drained without loss; allowed is "
              + LastcallProtocol.class.getName());
    }
    this.connector = connector;
    this.filter = filter;
    this.endpoint = protocol.endpoint();
    Optional<String> problem = TomcatInternals.problem();
    if (problem.isPresent()) {
      // What closes its listener by Tomcat's public API.
      connector.setProperty("bindOnInit", "false");
      ContainerInternals.warnOfCoarseDrain(problem.get(), name());
    } else {
      protocol.serve(filter.gate());
      filter.add(new TomcatRequests());
    }
  }

  @Override
  public String name() {
    int open = connector.getLocalPort();
    return "tomcat:" + (open > 0 ? open : connector.getPort());
  }

  /**
   * Returns the connection that this thread upgrades: for {@code onOpen} of a WebSocket endpoint,
   * which Tomcat calls on the connection's thread. Any server of this kind may be asked, where
   * there are several.
   *
   * @throws IllegalStateException if this thread upgrades no connection of a {@link
   *     LastcallProtocol}
   */
  public WebSocketSessions.Connection currentConnection() {
    return TomcatConnection.upgrading();
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
    return endpoint.connections();
  }

  @Override
  public boolean listsConnections() {
    return endpoint.isServed();
  }

  @Override
  public void stopListening(Deadline deadline) throws IOException {
    if (connector.getLocalPort() <= 0) {
      return;
    }
    if (endpoint.isServed()) {
      endpoint.acceptQueuedThenClose(deadline);
    } else {
      connector.getProtocolHandler().closeServerSocketGraceful();
    }
  }

  @Override
  public CompletionStage<?> connectionsEnded() {
    return endpoint.settle();
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
    public long acceptTime(HttpServletRequest request) {
      Object known = request.getAttribute(LastcallProtocol.ATTRIBUTE);
      if (known instanceof TomcatConnection connection) {
        return connection.acceptTime();
      }
      return known instanceof LastcallHttp2Protocol.ExchangeCounter.Exchange exchange
          ? exchange.acceptTime()
          : -1;
    }
  }
}
