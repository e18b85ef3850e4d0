package io.lastcall.agent.loading;

/** A kind of server that the agent knows. */
public enum ServerKind {
  /** Netty, and what stands on it: Reactor Netty, Vert.x, Micronaut, Ktor, Quarkus. */
  NETTY("Netty", "Netty", "io/lastcall/netty", ""),
  /** Tomcat, embedded or not. */
  TOMCAT("Tomcat", "Tomcat", "io/lastcall/servlet", "io/lastcall/servlet/tomcat"),
  /** Jetty, embedded or not. */
  JETTY("Jetty", "Jetty", "io/lastcall/servlet", "io/lastcall/servlet/jetty"),
  /** Tomcat's WebSocket, an artifact of its own. */
  TOMCAT_WEBSOCKET("Tomcat's WebSocket", "WebSocketTomcat", "io/lastcall/servlet/websocket", ""),
  /** Jetty's WebSocket, below its own API and {@code jakarta.websocket}. */
  JETTY_WEBSOCKET("Jetty's WebSocket", "WebSocketJetty", "", ""),
  /** Undertow's WebSocket, below its own API and {@code jakarta.websocket}. */
  UNDERTOW_WEBSOCKET("Undertow's WebSocket", "WebSocketUndertow", "", ""),
  /** Undertow, with servlets or without. */
  UNDERTOW("Undertow", "Undertow", "", ""),
  /** Armeria, whose Netty listeners have no codec of Netty's. */
  ARMERIA("Armeria", "Armeria", "", ""),
  /** grpc-java on any transport. */
  GRPC("gRPC", "Grpc", "", ""),
  /** The HTTP server of the JDK. */
  JDK("JDK HttpServer", "Jdk", "", "");

  private final String label;
  private final String prefix;
  private final String needed;
  private final String exact;

  ServerKind(String label, String prefix, String needed, String exact) {
    this.label = label;
    this.prefix = prefix;
    this.needed = needed;
    this.exact = exact;
  }

  /** Returns what a log calls it. */
  public String label() {
    return label;
  }

  /** Returns how the names of its classes begin, those of its exact role with Exact before it. */
  String prefix() {
    return prefix;
  }

  /** Returns the package without which nothing of it is drained. */
  String needed() {
    return needed;
  }

  /** Returns the package without which it has the coarse role; empty: none. */
  String exact() {
    return exact;
  }
}
