package io.lastcall.servlet.tomcat;

import io.lastcall.connection.FirstRequest;
import java.nio.channels.SocketChannel;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SecureNioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * The connections that have brought no request yet; from the accept on, before they have a wrapper.
 * Thread-safe.
 */
final class FirstRequests {
  private final Map<SocketChannel, Awaited> awaited = new ConcurrentHashMap<>();
  private final Supplier<FirstRequest> begin;

  /**
   * @param begin begins, for each connection, to await its first request
   */
  FirstRequests(Supplier<FirstRequest> begin) {
    this.begin = begin;
  }

  /** A connection's first request, and when the connection was accepted, as the gate said. */
  private record Awaited(FirstRequest request, long acceptTime) {}

  /** Before any other thread may know {@code channel}. */
  void accepted(SocketChannel channel, long acceptTime) {
    awaited.put(channel, new Awaited(begin.get(), acceptTime));
  }

  void refused(SocketChannel channel) {
    awaited.remove(channel);
  }

  boolean isAwaited(SocketChannel channel) {
    Awaited first = awaited.get(channel);
    return first != null && first.request().isAwaited();
  }

  boolean isEmpty() {
    return awaited.isEmpty();
  }

  /** A worker takes up the connection: with TLS not before the handshake, request or not. */
  void taken(SocketWrapperBase<NioChannel> wrapper) {
    if (!awaited.isEmpty() && wrapper.getSocket() instanceof SecureNioChannel tls) {
      SocketChannel channel = tls.getIOChannel();
      Awaited first = channel == null ? null : awaited.get(channel);
      if (first != null) {
        first.request().awaitAnew();
      }
    }
  }

  /**
   * It is here, or will never be.
   *
   * @return when the connection was accepted; negative if it is unknown, or this is not the first
   */
  long over(SocketWrapperBase<NioChannel> wrapper) {
    if (awaited.isEmpty()) {
      return -1;
    }
    @Nullable SocketChannel channel = wrapper.getSocket().getIOChannel();
    // null: closed, on another thread
    Awaited first = channel == null ? null : awaited.remove(channel);
    return first == null ? -1 : first.acceptTime();
  }
}
