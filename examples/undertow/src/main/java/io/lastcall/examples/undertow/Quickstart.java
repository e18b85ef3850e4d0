package io.lastcall.examples.undertow;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.DrainableServer;
import io.lastcall.servlet.ShutdownFilter;
import io.lastcall.servlet.ShutdownInitializer;
import io.undertow.Undertow;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.api.ServletContainerInitializerInfo;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import jakarta.servlet.ServletException;
import java.util.Set;

/** What a service on Undertow needs to leave without losing a request. */
public final class Quickstart {
  private Quickstart() {}

  /** Starts an application of no servlets on port 8080. */
  public static void main(String[] args) throws ServletException {
    DeploymentInfo application =
        Servlets.deployment()
            .setClassLoader(Quickstart.class.getClassLoader())
            .setContextPath("/")
            .setDeploymentName("application");
    serve(
        GracefulShutdown.builder().awaitStarted().install(),
        application,
        Undertow.builder().addHttpListener(8080, "0.0.0.0"));
  }

  public static Undertow serve(
      GracefulShutdown shutdown, DeploymentInfo application, Undertow.Builder builder)
      throws ServletException {
    ShutdownFilter filter = ShutdownFilter.of(shutdown);
    application.addServletContainerInitializer(
        new ServletContainerInitializerInfo(
            ShutdownInitializer.class,
            new ImmediateInstanceFactory<>(new ShutdownInitializer(filter)),
            Set.of()));
    DeploymentManager manager = Servlets.defaultContainer().addDeployment(application);
    manager.deploy();
    Undertow undertow = builder.setHandler(manager.start()).build();
    shutdown.server(DrainableServer.of("undertow", deadline -> undertow.stop(), deadline -> {}));
    undertow.start();
    shutdown.started();
    return undertow;
  }
}
