package io.lastcall.examples.undertow;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.examples.servlets.Events;
import io.lastcall.examples.servlets.Work;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import io.lastcall.servlet.undertow.UndertowServer;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/**
 * Undertow with a graceful shutdown. Environment: {@code PORT}; {@code PROBE_PORT}, where set,
 * serves the probes on a port of their own too; {@code NAIVE=true} runs the same server without the
 * library; {@code LASTCALL_*}, the library's settings.
 */
public final class UndertowExample {
  /** Any size: by default Undertow answers a body of more than 2 MB by 500, or resets it. */
  private static final OptionMap OPTIONS =
      OptionMap.create(UndertowOptions.ENABLE_HTTP2, true, UndertowOptions.MAX_ENTITY_SIZE, -1L);

  private UndertowExample() {}

  /**
   * Starts the server and returns; Undertow's threads keep the process up, a failed start ends it.
   */
  public static void main(String[] args) {
    try {
      if (Boolean.parseBoolean(System.getenv("NAIVE"))) {
        serveNaively();
      } else {
        serve(GracefulShutdown.builder().awaitStarted().install());
      }
    } catch (Throwable t) {
      t.printStackTrace();
      System.exit(1);
    }
  }

  /** All that the library needs: a filter and the probes, the server. */
  private static void serve(GracefulShutdown shutdown) throws Exception {
    ShutdownFilter filter =
        new ShutdownFilter(shutdown.gate(), shutdown.probes(), shutdown.connections());
    XnioWorker worker = worker();
    UndertowServer server = new UndertowServer(worker, filter, OPTIONS);
    shutdown.server(server);
    DeploymentInfo application = application();
    ShutdownInitializer initializer = new ShutdownInitializer(filter);
    application.addServletContainerInitializer(
        new ServletContainerInitializerInfo(
            ShutdownInitializer.class, new ImmediateInstanceFactory<>(initializer), Set.of()));
    EchoDeployment.deploy(
        application, new WebSocketSessions(shutdown.connections(), server::currentConnection));
    HttpHandler root = start(application);
    serveProbes(worker, root);
    InetSocketAddress address = server.listen(new InetSocketAddress(port("PORT", 8080)), root);
    shutdown.started();
    report(address);
  }

  private static void serveNaively() throws Exception {
    DeploymentInfo application = application();
    serve(application, new Work.Fast(), "/livez", "/readyz", "/startupz");
    EchoDeployment.deploy(
        application, new WebSocketSessions(new ConnectionControl().connections()));
    XnioWorker worker = worker();
    HttpHandler root = start(application);
    serveProbes(worker, root);
    Undertow undertow =
        Undertow.builder()
            .setWorker(worker)
            .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
            .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L)
            .addHttpListener(port("PORT", 8080), "0.0.0.0")
            .setHandler(root)
            .build();
    undertow.start();
    report((InetSocketAddress) undertow.getListenerInfo().get(0).getAddress());
  }

  /** On a listener that no drain closes: they answer until the worker ends. */
  private static void serveProbes(XnioWorker worker, HttpHandler root) {
    int port = port("PROBE_PORT", 0);
    if (port > 0) {
      Undertow.builder()
          .setWorker(worker)
          .addHttpListener(port, "0.0.0.0")
          .setHandler(root)
          .build()
          .start();
    }
  }

  /** A thread for each request that waits: /work must not hold up others. */
  private static XnioWorker worker() throws IOException {
    return Xnio.getInstance()
        .createWorker(
            OptionMap.builder()
                .set(Options.WORKER_IO_THREADS, Runtime.getRuntime().availableProcessors())
                .set(Options.WORKER_TASK_CORE_THREADS, 8)
                .set(Options.WORKER_TASK_MAX_THREADS, 2000)
                .getMap());
  }

  private static DeploymentInfo application() {
    DeploymentInfo application =
        Servlets.deployment()
            .setClassLoader(UndertowExample.class.getClassLoader())
            .setContextPath("/")
            .setDeploymentName("example");
    serve(application, new Work.Fast(), "/fast");
    serve(application, new Work(), "/work");
    serve(application, new Work.Stream(), "/stream");
    serve(application, new Work.Upload(), "/upload");
    serve(application, new Events(), "/sse");
    return application;
  }

  private static HttpHandler start(DeploymentInfo application) throws ServletException {
    DeploymentManager manager = Servlets.defaultContainer().addDeployment(application);
    manager.deploy();
    return manager.start();
  }

  private static void serve(DeploymentInfo application, Servlet servlet, String... paths) {
    application.addServlet(
        Servlets.servlet(paths[0], servlet.getClass(), new ImmediateInstanceFactory<>(servlet))
            .setAsyncSupported(true)
            .addMappings(paths));
  }

  private static void report(InetSocketAddress bound) {
    System.out.println("ready on port " + bound.getPort());
  }

  private static int port(String variable, int otherwise) {
    return Integer.parseInt(System.getenv().getOrDefault(variable, "" + otherwise));
  }
}
