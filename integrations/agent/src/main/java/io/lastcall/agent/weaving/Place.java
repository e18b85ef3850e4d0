package io.lastcall.agent.weaving;

import io.lastcall.agent.loading.ServerKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A place in a server's class from which the agent is called.
 *
 * @param name what {@code ServerHooks} is told
 * @param kind whose hooks are called; null: the agent itself
 * @param type the class, with slashes
 * @param method every method of this name
 * @param at where in it
 * @param argument the index of the argument that is handed on, from 1; 0: none, or the result
 */
record Place(
    String name, @Nullable ServerKind kind, String type, String method, At at, int argument) {

  /** Where in a method. */
  enum At {
    /** Before everything else. */
    ENTRY,
    /** As ENTRY; what is returned takes the place of the argument. */
    ARGUMENT,
    /** Before each return. */
    EXIT,
    /** As EXIT; what is returned takes the place of the result. */
    RESULT
  }

  /** An application that installs Lastcall itself: the agent steps aside. */
  static final String INSTALL = "install";

  private static final String JDK = "sun/net/httpserver/HttpServerImpl";
  private static final String JDK_TLS = "sun/net/httpserver/HttpsServerImpl";

  private static final String JETTY_WEBSOCKET =
      "org/eclipse/jetty/websocket/core/WebSocketCoreSession";

  private static final String JETTY_11_WEBSOCKET =
      "org/eclipse/jetty/websocket/core/internal/WebSocketCoreSession";

  static final List<Place> ALL =
      List.of(
          agent(INSTALL, "io/lastcall/GracefulShutdownBuilder", "install"),
          new Place(
              "bound",
              ServerKind.NETTY,
              "io/netty/channel/AbstractChannel$AbstractUnsafe",
              "bind",
              At.EXIT,
              2),
          result(ServerKind.TOMCAT, "protocol", "org/apache/coyote/ProtocolHandler", "create"),
          entry(
              ServerKind.TOMCAT,
              "connector",
              "org/apache/catalina/connector/Connector",
              "initInternal"),
          entry(
              ServerKind.TOMCAT,
              "filters",
              "org/apache/catalina/core/StandardContext",
              "filterStart"),
          entry(ServerKind.JETTY, "jetty", "org/eclipse/jetty/server/Server", "doStart"),
          new Place(
              "jetty connectors",
              ServerKind.JETTY,
              "org/eclipse/jetty/server/Server",
              "setConnectors",
              At.ENTRY,
              1),
          jettyFilters("org/eclipse/jetty/servlet"),
          jettyFilters("org/eclipse/jetty/ee8/servlet"),
          jettyFilters("org/eclipse/jetty/ee9/servlet"),
          jettyFilters("org/eclipse/jetty/ee10/servlet"),
          jettyFilters("org/eclipse/jetty/ee11/servlet"),
          exit(
              ServerKind.TOMCAT_WEBSOCKET,
              "tomcat socket",
              "org/apache/tomcat/websocket/server/WsHttpUpgradeHandler",
              "init"),
          new Place(
              "tomcat socket closed",
              ServerKind.TOMCAT_WEBSOCKET,
              "org/apache/tomcat/websocket/server/WsServerContainer",
              "unregisterSession",
              At.ENTRY,
              2),
          exit(ServerKind.JETTY_WEBSOCKET, "jetty socket", JETTY_WEBSOCKET, "onOpen"),
          entry(
              ServerKind.JETTY_WEBSOCKET,
              "jetty socket closed",
              JETTY_WEBSOCKET,
              "closeConnection"),
          exit(ServerKind.JETTY_WEBSOCKET, "jetty socket", JETTY_11_WEBSOCKET, "onOpen"),
          entry(
              ServerKind.JETTY_WEBSOCKET,
              "jetty socket closed",
              JETTY_11_WEBSOCKET,
              "closeConnection"),
          exit(
              ServerKind.UNDERTOW_WEBSOCKET,
              "undertow socket",
              "io/undertow/websockets/core/WebSocketChannel",
              "<init>"),
          entry(ServerKind.UNDERTOW, "undertow", "io/undertow/Undertow", "start"),
          result(
              ServerKind.ARMERIA,
              "armeria host",
              "com/linecorp/armeria/server/VirtualHostBuilder",
              "build"),
          result(ServerKind.ARMERIA, "armeria", "com/linecorp/armeria/server/Server", "start"),
          entry(ServerKind.GRPC, "grpc", "io/grpc/internal/ServerImplBuilder", "build"),
          result(ServerKind.GRPC, "grpc built", "io/grpc/internal/ServerImplBuilder", "build"),
          result(ServerKind.GRPC, "grpc started", "io/grpc/internal/ServerImpl", "start"),
          entry(ServerKind.JDK, "jdk", JDK, "start"),
          result(ServerKind.JDK, "jdk context", JDK, "createContext"),
          entry(ServerKind.JDK, "jdk", JDK_TLS, "start"),
          result(ServerKind.JDK, "jdk context", JDK_TLS, "createContext"));

  private static Place agent(String name, String type, String method) {
    return new Place(name, null, type, method, At.ENTRY, 0);
  }

  private static Place entry(ServerKind kind, String name, String type, String method) {
    return new Place(name, kind, type, method, At.ENTRY, 0);
  }

  private static Place exit(ServerKind kind, String name, String type, String method) {
    return new Place(name, kind, type, method, At.EXIT, 0);
  }

  private static Place result(ServerKind kind, String name, String type, String method) {
    return new Place(name, kind, type, method, At.RESULT, 0);
  }

  private static Place jettyFilters(String packagePath) {
    return entry(ServerKind.JETTY, "jetty filters", packagePath + "/ServletHandler", "initialize");
  }
}
