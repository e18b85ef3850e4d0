package io.lastcall.agent;

import jakarta.servlet.http.HttpServlet;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.File;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.websocket.server.WsSci;

/** Embedded Tomcat with an endpoint of {@code jakarta.websocket}; NIO2 by a system property. */
final class TomcatWebSocketApplication {
  private TomcatWebSocketApplication() {}

  public static void main(String[] args) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
    Connector connector =
        Boolean.getBoolean("coarse")
            ? new Connector("org.apache.coyote.http11.Http11Nio2Protocol")
            : new Connector();
    connector.setPort(0);
    tomcat.setConnector(connector);
    Context context = tomcat.addContext("", new File(".").getAbsolutePath());
    // Its filter upgrades in front of a servlet.
    Tomcat.addServlet(context, "default", new HttpServlet() {}).addMapping("/");
    context.addServletContainerInitializer(new WsSci(), null);
    context.addServletContainerInitializer(
        (classes, servlets) -> {
          ServerContainer container =
              (ServerContainer) servlets.getAttribute(ServerContainer.class.getName());
          try {
            container.addEndpoint(
                ServerEndpointConfig.Builder.create(EchoEndpoint.class, "/ws").build());
          } catch (jakarta.websocket.DeploymentException e) {
            throw new IllegalStateException(e);
          }
        },
        null);
    tomcat.start();
    System.out.println("ready on port " + connector.getLocalPort());
    tomcat.getServer().await();
  }
}
