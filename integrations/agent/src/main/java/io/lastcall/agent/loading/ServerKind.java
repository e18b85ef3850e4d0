package io.lastcall.agent.loading;

/** A kind of server that the agent knows. */
public enum ServerKind {
  /** Netty, and what stands on it: Reactor Netty, Vert.x, Micronaut, Ktor, Quarkus. */
  NETTY("Netty", "io/lastcall/agent/server/NettyHooks", "io/lastcall/netty", ""),
  /** Tomcat, embedded or not. */
  TOMCAT(
      "Tomcat",
      "io/lastcall/agent/server/TomcatHooks",
      "io/lastcall/servlet",
      "io/lastcall/servlet/tomcat");

  private final String label;
  private final String hooks;
  private final String needed;
  private final String exact;

  ServerKind(String label, String hooks, String needed, String exact) {
    this.label = label;
    this.hooks = hooks;
    this.needed = needed;
    this.exact = exact;
  }

  /** Returns what a log calls it. */
  public String label() {
    return label;
  }

  /** Returns the class of its {@link ServerHooks}, with slashes. */
  String hooks() {
    return hooks;
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
