package io.lastcall.spring;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the servers that take no part in the shutdown, where the application has registered none
 * itself: routers send requests to them all the same, and nobody counts them. Looks once, when the
 * application is ready.
 */
final class UnknownServers {
  private static final Logger log = LoggerFactory.getLogger(UnknownServers.class);

  private static final String RSOCKET =
      "org.springframework.boot.rsocket.context.RSocketServerBootstrap";

  /** Types of beans that routers send requests to. Clients and probes are none. */
  static final List<String> TYPES =
      List.of(
          "com.corundumstudio.socketio.SocketIOServer",
          "com.linecorp.armeria.server.Server",
          "com.sun.net.httpserver.HttpServer",
          "io.grpc.Server",
          "io.helidon.webserver.WebServer",
          "io.javalin.Javalin",
          "io.netty.bootstrap.ServerBootstrap",
          "io.netty.channel.ServerChannel",
          "io.rsocket.transport.netty.server.CloseableChannel",
          "io.undertow.Undertow",
          "io.vertx.core.http.HttpServer",
          "io.vertx.core.net.NetServer",
          "java.net.ServerSocket",
          "java.nio.channels.AsynchronousServerSocketChannel",
          "java.nio.channels.ServerSocketChannel",
          "net.devh.boot.grpc.server.serverfactory.GrpcServerLifecycle",
          "org.apache.catalina.Server",
          "org.apache.catalina.startup.Tomcat",
          "org.apache.dubbo.config.ServiceConfigBase",
          "org.apache.sshd.server.SshServer",
          "org.apache.thrift.server.TServer",
          "org.eclipse.jetty.server.Server",
          "org.glassfish.grizzly.http.server.HttpServer",
          "org.java_websocket.server.WebSocketServer",
          "org.lognet.springboot.grpc.GRpcServerRunner",
          RSOCKET,
          "org.springframework.integration.ip.tcp.connection.AbstractServerConnectionFactory",
          "reactor.netty.DisposableServer");

  private final ProcessShutdown process;
  private final ConfigurableApplicationContext context;

  UnknownServers(ProcessShutdown process, ConfigurableApplicationContext context) {
    this.process = process;
    this.context = context;
  }

  /** In front of {@link ContextBridge}, which ends start-up. */
  @EventListener
  @Order(Ordered.HIGHEST_PRECEDENCE)
  void ready(ApplicationReadyEvent event) {
    if (event.getApplicationContext().equals(context)
        && !process.isServerGiven()
        && !process.shutdown().isShuttingDown()) {
      beans().forEach(this::report);
      Object web = process.shutdown().servers().isEmpty() ? webServer() : null;
      if (web != null) {
        reportWebServer(web.getClass().getName());
      }
    }
  }

  private Set<String> beans() {
    Set<String> found = new LinkedHashSet<>();
    for (String name : TYPES) {
      Class<?> type = known(name);
      if (type != null && !isDrained(name)) {
        for (String bean : context.getBeanNamesForType(type, true, false)) {
          found.add("bean '%s' (%s)".formatted(bean, name));
        }
      }
    }
    return found;
  }

  private boolean isDrained(String type) {
    return type.equals(RSOCKET) && context.containsBean(LastcallRSocketAutoConfiguration.DRAIN);
  }

  /** By name: its type is absent without a web server, and has another package in 3.5. */
  private @Nullable Object webServer() {
    Method getter = ReflectionUtils.findMethod(context.getClass(), "getWebServer");
    return getter == null ? null : ReflectionUtils.invokeMethod(getter, context);
  }

  private @Nullable Class<?> known(String name) {
    try {
      return ClassUtils.forName(name, context.getClassLoader());
    } catch (ClassNotFoundException | LinkageError absent) {
      return null;
    }
  }

  private void reportWebServer(String server) {
    if (ContextClose.countsRequests(context)) {
      process.shutdown().assumeRouted();
      log.warn("Server {} takes no part in the shutdown: its listener is not closed first", server);
    } else {
      report(server);
    }
  }

  /** A shutdown that knows nothing of their requests cannot be called clean. */
  private void report(String server) {
    process.shutdown().assumeRouted();
    log.warn(
        "Server {} takes no part in the shutdown: its requests are not counted, and what is in"
            + " flight when it stops is cut. Count them and register it, by"
            + " GracefulShutdown.server(DrainableServer.of(...)); the propagation delay holds for"
            + " it already",
        server);
    process.step(
        Step.of(
            Phase.DRAIN,
            "requests of " + server,
            step -> {
              throw new IllegalStateException(
                  "not counted: the server is not registered, so that some may have been cut");
            }));
  }
}
