package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.ContainerInternals.Tested;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.apache.catalina.util.ServerInfo;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * What this package uses of Tomcat beyond its public API: methods that it overrides to hear of
 * something, protected members, and what Tomcat 10.1 declares otherwise than Tomcat 11, against
 * which this package is compiled. {@link TomcatServer} checks it all when it is created.
 */
final class TomcatInternals {
  /** What the tests of this package have run with: from what Spring Boot 3.5.0 and 4.0.0 manage. */
  static final Map<String, Tested> TESTED =
      Map.of("10.1", new Tested(41, 55), "11.0", new Tested(14, 27));

  static final Map<String, List<String>> MEMBERS =
      Map.of(
          "org.apache.coyote.http11.Http11NioProtocol",
          List.of(
              "int getMaxKeepAliveRequests()",
              "boolean useCompression(Request, Response)",
              "Processor createProcessor()",
              "Processor createUpgradeProcessor(SocketWrapperBase, UpgradeToken)",
              "void removeWaitingProcessor(Processor)"),
          "org.apache.coyote.AbstractProtocol$ConnectionHandler",
          List.of(
              "SocketState process(SocketWrapperBase, SocketEvent)",
              "void release(SocketWrapperBase)"),
          "org.apache.coyote.http11.Http11Processor",
          List.of("SocketState service(SocketWrapperBase)", "Request request"),
          "org.apache.tomcat.util.net.NioEndpoint",
          List.of(
              "boolean setSocketOptions(SocketChannel)",
              "SocketChannel serverSocketAccept()",
              "void doCloseServerSocket()",
              "void unlockAccept()",
              "NetworkChannel getServerSocket()",
              "void closeSocket(Object)",
              "Map connections",
              "Acceptor acceptor"),
          "org.apache.tomcat.util.net.Acceptor",
          List.of("void stopMillis(int)"),
          "org.apache.tomcat.util.net.SocketWrapperBase",
          List.of("ReentrantLock getLock() | Lock getLock()", "Object getCurrentProcessor()"),
          "org.apache.coyote.http2.Http2AsyncUpgradeHandler",
          List.of(
              "AtomicInteger activeRemoteStreamCount",
              "byte[] PING",
              "Http2Protocol protocol",
              "void writeGoAwayFrame(int, long, byte[])",
              "void pingReceive(byte[], boolean)",
              "void goaway(int, long, String)",
              "void setConnectionTimeoutForStreamCount(int)"));

  /** Null if it does not resolve, which {@link #problem} says. */
  private static final @Nullable MethodHandle GET_LOCK = getLock();

  private TomcatInternals() {}

  /** Says which member this Tomcat lacks, if it lacks one. */
  static Optional<String> problem() {
    return ContainerInternals.isNativeImage()
        ? ContainerInternals.problemAtBuild("Tomcat", GET_LOCK)
        : ContainerInternals.problem(version(), MEMBERS).map("Tomcat "::concat);
  }

  static void informIfUntested() {
    ContainerInternals.informIfUntested("Tomcat", version(), TESTED);
  }

  /**
   * Returns that of the jar: what {@code ServerInfo.properties} says is often overwritten, to hide
   * it from clients. A jar on the module path may have none.
   */
  private static String version() {
    @Nullable String packaged = ServerInfo.class.getPackage().getImplementationVersion();
    return packaged == null ? ServerInfo.getServerNumber() : packaged;
  }

  /** Returns a connection's lock, which its worker holds; of another type in Tomcat 10.1. */
  static Lock lock(SocketWrapperBase<?> wrapper) {
    if (GET_LOCK == null) {
      throw new IllegalStateException("SocketWrapperBase has no lock");
    }
    try {
      return (Lock) GET_LOCK.invokeExact(wrapper);
    } catch (RuntimeException | Error failure) {
      throw failure;
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static @Nullable MethodHandle getLock() {
    try {
      return MethodHandles.publicLookup()
          .unreflect(SocketWrapperBase.class.getMethod("getLock"))
          .asType(MethodType.methodType(Lock.class, SocketWrapperBase.class));
    } catch (ReflectiveOperationException moved) {
      return null;
    }
  }
}
