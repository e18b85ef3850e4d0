package io.lastcall.servlet.jetty;

import io.lastcall.servlet.ContainerInternals;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.internal.HttpConnection;

/**
 * What this package uses of Jetty beyond its public API: the parser of an HTTP/1 connection, which
 * alone knows whether half a request is on its way, and methods that it overrides to hear of
 * something. {@link JettyServer} checks it all when it is created.
 */
final class JettyInternals {
  private static final String PACKAGE = "org.eclipse.jetty.server.internal";

  /** The lowest patch releases that the tests of this package have run with. */
  private static final Map<String, Integer> LINES = Map.of("12.0", 36, "12.1", 10);

  static final Map<String, List<String>> MEMBERS =
      Map.of(
          PACKAGE + ".HttpConnection",
          List.of("HttpParser getParser()"),
          "org.eclipse.jetty.server.ServerConnector",
          List.of(
              "void accept(int)",
              "void configure(Socket)",
              "SocketChannelEndPoint newEndPoint(SocketChannel, ManagedSelector, SelectionKey)"),
          "org.eclipse.jetty.io.SocketChannelEndPoint",
          List.of(
              "FillInterest getFillInterest()",
              "WriteFlusher getWriteFlusher()",
              "void fillInterested(Callback)",
              "boolean tryFillInterested(Callback)",
              "void needsFillInterest()",
              "void doShutdownOutput()",
              "void doClose()",
              "Runnable onSelected()"),
          "org.eclipse.jetty.io.FillInterest",
          List.of("boolean fillable()", "void onClose()"));

  /** Only where Jetty's HTTP/2 is there: it is an artifact of its own. */
  static final Map<String, List<String>> HTTP2_MEMBERS =
      Map.of(
          "org.eclipse.jetty.http2.HTTP2Session",
          List.of("void frames(HTTP2Stream, List, Callback)"),
          "org.eclipse.jetty.http2.HTTP2Stream",
          List.of("void setListener(Listener)", "int getSendWindow()"),
          "org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory",
          List.of("ServerSessionListener newSessionListener(Connector, EndPoint)"));

  private static final Optional<String> PROBLEM = check();

  private JettyInternals() {}

  /** Says what of this Jetty is not as tested, if anything is. */
  static Optional<String> problem() {
    return PROBLEM;
  }

  private static Optional<String> check() {
    Map<String, List<String>> members = new HashMap<>(MEMBERS);
    if (isThere("org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory")) {
      members.putAll(HTTP2_MEMBERS);
    }
    return ContainerInternals.problem(Server.getVersion(), LINES, members).map("Jetty "::concat);
  }

  /**
   * On the module path the package must be exported.
   *
   * @throws IllegalStateException if it is not
   */
  static void refuseUnlessExported() {
    Module jetty = ServerConnector.class.getModule();
    Module own = JettyInternals.class.getModule();
    if (jetty.getPackages().contains(PACKAGE) && !jetty.isExported(PACKAGE, own)) {
      throw new IllegalStateException(
          "Jetty's module does not export %s to the adapter; allowed: java --add-exports %s/%s=%s"
              .formatted(PACKAGE, jetty.getName(), PACKAGE, own.getName()));
    }
  }

  /**
   * Returns whether {@code connection} speaks HTTP/1 and has parsed nothing of a next request;
   * empty if it speaks something else. Not to be called where there is a {@link #problem}.
   */
  static Optional<Boolean> isBetweenRequests(Connection connection) {
    return connection instanceof HttpConnection http
        ? Optional.of(http.getParser().isStart())
        : Optional.empty();
  }

  private static boolean isThere(String type) {
    try {
      Class.forName(type, false, JettyInternals.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }
}
