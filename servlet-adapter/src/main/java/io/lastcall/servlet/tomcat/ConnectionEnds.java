package io.lastcall.servlet.tomcat;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tomcat.util.net.SocketWrapperBase;

/** The ends of connections, for those who wait for one. Costs nothing where nobody does. */
final class ConnectionEnds {
  private final Map<SocketWrapperBase<?>, CompletableFuture<Void>> awaited =
      new ConcurrentHashMap<>();

  /** Completes when the connection is gone. */
  CompletionStage<?> of(SocketWrapperBase<?> wrapper) {
    CompletableFuture<Void> end =
        awaited.computeIfAbsent(wrapper, unused -> new CompletableFuture<>());
    if (wrapper.isClosed()) {
      // Maybe before it was awaited: another thread may write, and fail.
      closed(wrapper);
    }
    return end;
  }

  void closed(SocketWrapperBase<?> wrapper) {
    CompletableFuture<Void> end = awaited.remove(wrapper);
    if (end != null) {
      end.complete(null);
    }
  }
}
