package io.lastcall.servlet.tomcat;

import io.lastcall.GracefulShutdown;
import io.lastcall.servlet.SessionCounter;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import io.lastcall.servlet.websocket.WebSocketSessions;
import jakarta.servlet.ServletContext;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.catalina.Container;
import org.apache.catalina.Context;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.Server;
import org.apache.catalina.Service;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.FrameworkListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The graceful shutdown of a Tomcat that its own scripts start, for the web applications that are
 * deployed there. In {@code server.xml}, with the jars in Tomcat's {@code lib}:
 *
 * <pre>{@code
 * <Server port="-1">
 *   <Listener className="io.lastcall.servlet.tomcat.LastcallListener"/>
 *   <Service name="Catalina">
 *     <Connector port="8080" protocol="io.lastcall.servlet.tomcat.LastcallProtocol"/>
 * }</pre>
 *
 * <p>Installs the shutdown before Tomcat starts; drains each connector whose protocol is a {@link
 * LastcallProtocol}; registers the filter, which answers the probes, in front of all others in each
 * application, those deployed later included; says that start-up is over once every connector and
 * every application has started, and never if one has not. Settings are system properties and
 * environment variables.
 *
 * <p>An application that has steps or WebSocket sessions of its own finds the {@link
 * GracefulShutdown} and the {@link WebSocketSessions} as attributes of its {@link ServletContext},
 * named by their classes. Tomcat's own shutdown hook stops the applications, after the last phase.
 */
public final class LastcallListener extends FrameworkListener {
  private static final Logger log = LoggerFactory.getLogger(LastcallListener.class);

  private volatile @Nullable Lent lent;

  /** For Tomcat, which calls the rest. */
  public LastcallListener() {}

  /**
   * Called by Tomcat.
   *
   * @throws IllegalStateException if it is a listener of anything but the server, or no connector
   *     can be drained, or a shutdown is installed already: Tomcat does not start
   * @throws IllegalArgumentException for a setting that is not allowed, so too
   */
  @Override
  public void lifecycleEvent(LifecycleEvent event) {
    if (!(event.getLifecycle() instanceof Server server)) {
      throw new IllegalStateException(
          "Listener %s is inside of %s; allowed: in the Server itself"
              .formatted(getClass().getName(), event.getLifecycle()));
    }
    Lent known = lent;
    if (event.getType().equals(Lifecycle.BEFORE_START_EVENT) && known == null) {
      lent = install(server);
      super.lifecycleEvent(event);
    } else if (event.getType().equals(Lifecycle.AFTER_START_EVENT) && known != null) {
      started(server, known.shutdown);
    } else if (event.getType().equals(Lifecycle.AFTER_DESTROY_EVENT) && known != null) {
      known.shutdown.uninstall();
    }
  }

  private static Lent install(Server server) {
    List<Connector> drained =
        connectors(server)
            .filter(connector -> connector.getProtocolHandler() instanceof LastcallProtocol)
            .toList();
    if (drained.isEmpty()) {
      throw new IllegalStateException(
          "No Connector can be drained without loss; allowed: one at least with protocol=\"%s\""
              .formatted(LastcallProtocol.class.getName()));
    }
    GracefulShutdown shutdown = GracefulShutdown.builder().awaitStarted().install();
    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    drained.forEach(connector -> shutdown.server(new TomcatServer(connector, filter)));
    return new Lent(shutdown, filter, new WebSocketSessions(shutdown.connections()));
  }

  /** Tomcat goes on without what has failed; a router should not send requests there. */
  private static void started(Server server, GracefulShutdown shutdown) {
    List<? extends Lifecycle> failed =
        Stream.concat(connectors(server), applications(server))
            .filter(part -> !part.getState().isAvailable())
            .toList();
    if (failed.isEmpty()) {
      shutdown.started();
    } else {
      log.error("This process stays unready: {} has not started", failed);
    }
  }

  private static Stream<Connector> connectors(Server server) {
    return Stream.of(server.findServices()).flatMap(service -> Stream.of(service.findConnectors()));
  }

  private static Stream<Container> applications(Server server) {
    return Stream.of(server.findServices())
        .map(Service::getContainer)
        .filter(Objects::nonNull)
        .flatMap(engine -> Stream.of(engine.findChildren()))
        .flatMap(host -> Stream.of(host.findChildren()));
  }

  /** A context forgets its initializers whenever it stops. */
  @Override
  protected LifecycleListener createLifecycleListener(Context context) {
    Lent known = Objects.requireNonNull(lent, "contexts are found after the installation");
    return event -> {
      if (event.getType().equals(Lifecycle.BEFORE_START_EVENT)) {
        context.addServletContainerInitializer((types, servlets) -> known.lendTo(servlets), null);
      }
    };
  }

  /** What each application gets. */
  private record Lent(
      GracefulShutdown shutdown, ShutdownFilter filter, WebSocketSessions sessions) {
    void lendTo(ServletContext context) {
      context.setAttribute(GracefulShutdown.class.getName(), shutdown);
      context.setAttribute(WebSocketSessions.class.getName(), sessions);
      context.addListener(new SessionCounter(shutdown.sessions("http")));
      new ShutdownInitializer(filter).onStartup(null, context);
    }
  }
}
