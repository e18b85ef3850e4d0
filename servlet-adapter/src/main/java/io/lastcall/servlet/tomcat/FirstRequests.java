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
  private final Map<SocketChannel, FirstRequest> awaited = new ConcurrentHashMap<>();
  private final Supplier<FirstRequest> begin;

  /**
   * @param begin begins, for each connection, to await its first request
   */
  FirstRequests(Supplier<FirstRequest> begin) {
    this.begin = begin;
  }

  /** Before any other thread may know {@code channel}. */
  void accepted(SocketChannel channel) {
    awaited.put(channel, begin.get());
  }

  void refused(SocketChannel channel) {
    awaited.remove(channel);
  }

  boolean isAwaited(SocketChannel channel) {
    FirstRequest first = awaited.get(channel);
    return first != null && first.isAwaited();
  }

  boolean isEmpty() {
    return awaited.isEmpty();
  }

  /** A worker takes up the connection: with TLS not before the handshake, request or not. */
  void taken(SocketWrapperBase<NioChannel> wrapper) {
    if (!awaited.isEmpty() && wrapper.getSocket() instanceof SecureNioChannel tls) {
      SocketChannel channel = tls.getIOChannel();
      FirstRequest first = channel == null ? null : awaited.get(channel);
      if (first != null) {
        first.awaitAnew();
      }
    }
  }

  /** It is here, or will never be. */
  void over(SocketWrapperBase<NioChannel> wrapper) {
    if (!awaited.isEmpty()) {
      @Nullable SocketChannel channel = wrapper.getSocket().getIOChannel();
      if (channel != null) { // null: closed, on another thread
        awaited.remove(channel);
      }
    }
  }
}
