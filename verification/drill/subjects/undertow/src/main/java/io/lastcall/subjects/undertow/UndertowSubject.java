package io.lastcall.subjects.undertow;

import io.lastcall.GracefulShutdown;
import io.lastcall.GracefulShutdownBuilder;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.examples.undertow.Quickstart;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.subjects.servlets.Events;
import io.lastcall.subjects.servlets.Work;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletException;
import java.net.InetSocketAddress;
import org.xnio.Options;

/**
 * The quick start with the drill's servlets. Environment: {@code PORT}; {@code PROBE_PORT}, where
 * set, serves the probes on a port of their own too; {@code NAIVE=true} runs the same server
 * without the library; {@code LASTCALL_*}, the library's settings.
 */
public final class UndertowSubject {
  private UndertowSubject() {}

  /**
   * Starts the server and returns; Undertow's threads keep the process up, a failed start ends it.
   */
  public static void main(String[] args) {
    try {
      Undertow undertow = Boolean.parseBoolean(System.getenv("NAIVE")) ? serveNaively() : serve();
      InetSocketAddress bound = (InetSocketAddress) undertow.getListenerInfo().get(0).getAddress();
      System.out.println("ready on port " + bound.getPort());
    } catch (Throwable t) {
      t.printStackTrace();
      System.exit(1);
    }
  }

  private static Undertow serve() throws ServletException {
    GracefulShutdownBuilder builder = GracefulShutdown.builder().awaitStarted();
    String probePort = System.getenv("PROBE_PORT");
    if (probePort != null) {
      builder.configuration("probe-port", probePort, "environment PROBE_PORT");
    }
    GracefulShutdown shutdown = builder.install();
    DeploymentInfo application = application();
    EchoDeployment.deploy(application, new WebSocketSessions(shutdown.connections()));
    return Quickstart.serve(shutdown, application, server());
  }

  private static Undertow serveNaively() throws ServletException {
    DeploymentInfo application = application();
    serve(application, new Work.Fast(), "/livez", "/readyz", "/startupz");
    EchoDeployment.deploy(
        application, new WebSocketSessions(new ConnectionControl().connections()));
    DeploymentManager manager = Servlets.defaultContainer().addDeployment(application);
    manager.deploy();
    Undertow undertow = server().setHandler(manager.start()).build();
    undertow.start();
    return undertow;
  }

  /**
   * A thread for each request that waits: /work must not hold up others. Bodies of any size: by
   * default Undertow answers one of more than 2 MB by 500, or resets it.
   */
  private static Undertow.Builder server() {
    int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    return Undertow.builder()
        .setWorkerOption(Options.WORKER_TASK_CORE_THREADS, 8)
        .setWorkerOption(Options.WORKER_TASK_MAX_THREADS, 2000)
        .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L)
        .addHttpListener(port, "0.0.0.0");
  }

  private static DeploymentInfo application() {
    DeploymentInfo application =
        Servlets.deployment()
            .setClassLoader(UndertowSubject.class.getClassLoader())
            .setContextPath("/")
            .setDeploymentName("example");
    serve(application, new Work.Fast(), "/fast");
    serve(application, new Work(), "/work");
    serve(application, new Work.Stream(), "/stream");
    serve(application, new Work.Upload(), "/upload");
    serve(application, new Events(), "/sse");
    return application;
  }

  private static void serve(DeploymentInfo application, Servlet servlet, String... paths) {
    application.addServlet(
        Servlets.servlet(paths[0], servlet.getClass(), new ImmediateInstanceFactory<>(servlet))
            .setAsyncSupported(true)
            .addMappings(paths));
  }
}
