package io.lastcall.servlet.jetty;

import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.ContainerInternals.Tested;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.jspecify.annotations.Nullable;

/**
 * What this package uses of Jetty beyond its public API: the parser of an HTTP/1 connection, which
 * alone knows whether half a request is on its way, and methods that it overrides to hear of
 * something. {@link JettyServer} checks it all when it is created.
 */
final class JettyInternals {
  private static final String PACKAGE = "org.eclipse.jetty.server.internal";
  private static final String HTTP_CONNECTION = PACKAGE + ".HttpConnection";

  /** What the tests of this package have run with: from what Spring Boot 3.5.0 and 4.0.0 manage. */
  static final Map<String, Tested> TESTED =
      Map.of("12.0", new Tested(21, 36), "12.1", new Tested(4, 14));

  static final Map<String, List<String>> MEMBERS =
      Map.of(
          HTTP_CONNECTION,
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
          List.of("void setListener(Listener)", "boolean isLocallyClosed()"),
          "org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory",
          List.of("ServerSessionListener newSessionListener(Connector, EndPoint)"));

  /** Null if it does not resolve, which {@link #problem} says. */
  private static final @Nullable MethodHandle GET_PARSER = getParser();

  private static final Optional<String> PROBLEM = check();

  private JettyInternals() {}

  static void informIfUntested() {
    ContainerInternals.informIfUntested("Jetty", Server.getVersion(), TESTED);
  }

  /** Says which member this Jetty lacks, if it lacks one. */
  static Optional<String> problem() {
    return PROBLEM;
  }

  private static Optional<String> check() {
    if (ContainerInternals.isNativeImage()) {
      return ContainerInternals.problemAtBuild("Jetty", GET_PARSER);
    }
    Map<String, List<String>> members = new HashMap<>(MEMBERS);
    if (isThere("org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory")) {
      members.putAll(HTTP2_MEMBERS);
    }
    return ContainerInternals.problem(Server.getVersion(), members).map("Jetty "::concat);
  }

  /** Says so where the package is not exported, as on the module path it must be. */
  static Optional<String> notExported() {
    Module jetty = ServerConnector.class.getModule();
    Module own = JettyInternals.class.getModule();
    return jetty.getPackages().contains(PACKAGE) && !jetty.isExported(PACKAGE, own)
        ? Optional.of(
            "Jetty's module does not export %s to the adapter; allowed: java --add-exports %s/%s=%s"
                .formatted(PACKAGE, jetty.getName(), PACKAGE, own.getName()))
        : Optional.empty();
  }

  /** Returns the parser of what is spoken above TLS; empty if that is not HTTP/1. */
  static Optional<HttpParser> parser(Connection lowest) {
    MethodHandle getParser = GET_PARSER;
    Connection connection =
        lowest instanceof SslConnection tls ? tls.getSslEndPoint().getConnection() : lowest;
    if (getParser == null || !getParser.type().parameterType(0).isInstance(connection)) {
      return Optional.empty();
    }
    try {
      return Optional.of((HttpParser) getParser.invoke(connection));
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  static boolean isThere(String type) {
    try {
      Class.forName(type, false, JettyInternals.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError absent) {
      return false;
    }
  }

  private static @Nullable MethodHandle getParser() {
    try {
      Class<?> type = Class.forName(HTTP_CONNECTION, false, JettyInternals.class.getClassLoader());
      return MethodHandles.lookup()
          .findVirtual(type, "getParser", MethodType.methodType(HttpParser.class));
    } catch (ReflectiveOperationException | LinkageError moved) {
      return null;
    }
  }
}
