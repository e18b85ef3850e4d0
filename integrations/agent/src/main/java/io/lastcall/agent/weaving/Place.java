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

  static final List<Place> ALL =
      List.of(
          new Place(INSTALL, null, "io/lastcall/GracefulShutdownBuilder", "install", At.ENTRY, 0),
          new Place(
              "bound",
              ServerKind.NETTY,
              "io/netty/channel/AbstractChannel$AbstractUnsafe",
              "bind",
              At.EXIT,
              2),
          new Place(
              "protocol",
              ServerKind.TOMCAT,
              "org/apache/coyote/ProtocolHandler",
              "create",
              At.RESULT,
              0),
          new Place(
              "connector",
              ServerKind.TOMCAT,
              "org/apache/catalina/connector/Connector",
              "initInternal",
              At.ENTRY,
              0),
          new Place(
              "filters",
              ServerKind.TOMCAT,
              "org/apache/catalina/core/StandardContext",
              "filterStart",
              At.ENTRY,
              0));
}
