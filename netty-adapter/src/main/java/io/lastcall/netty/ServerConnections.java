package io.lastcall.netty;

import io.lastcall.connection.DrainableServer.Counting;
import io.lastcall.spi.AwaitedConnections;
import io.lastcall.spi.FirstRequest;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of one listener that may still need an answer. Each is added when the listener
 * accepts it, before its pipeline is set up, so that none is missed while the listener closes. It
 * is removed when it is closed, half-closed with all responses out, an event stream, or no longer
 * HTTP. Thread-safe.
 */
final class ServerConnections {
  private static final AttributeKey<ServerConnections> KEY =
      AttributeKey.valueOf(ServerConnections.class, "KEY");

  private final AwaitedConnections<TrackedConnection> awaited = new AwaitedConnections<>();
  private volatile Duration patience = FirstRequest.PATIENCE;

  /** A handler of ours was in a connection's pipeline. */
  private volatile boolean counted;

  /** A client has begun something, no handler of ours was there, and none is to come. */
  private volatile boolean missing;

  /** The open connections on which the client has begun something that nothing counts. */
  private final Set<TrackedConnection> uncounted = ConcurrentHashMap.newKeySet();

  /** How many more of these were there that the drain, or the application after it, has cut. */
  private final AtomicInteger cut = new AtomicInteger();

  /** The handlers of one of these. */
  private volatile List<String> pipeline = List.of();

  private ServerConnections() {}

  /** Returns those of {@code listener}; a channel without one is on its own. */
  static ServerConnections of(Channel listener) {
    ServerConnections known = listener.attr(KEY).get();
    if (known != null) {
      return known;
    }
    ServerConnections created = new ServerConnections();
    ServerConnections earlier = listener.attr(KEY).setIfAbsent(created);
    return earlier == null ? created : earlier;
  }

  void markCounted(TrackedConnection connection) {
    counted = true;
    uncounted.remove(connection);
  }

  /** The client has begun something on a connection that no handler of ours counts. */
  void markUncounted(TrackedConnection connection) {
    Channel channel = connection.channel();
    missing |= channel.pipeline().get(Placement.class) == null;
    if (channel.isOpen() && uncounted.add(connection)) {
      pipeline = channel.pipeline().names();
    }
  }

  /** The server closes a connection, before its client has an answer if nothing counts it. */
  void closedByServer(TrackedConnection connection) {
    if (uncounted.contains(connection)) {
      cut.incrementAndGet(); // first: it is never in neither
      uncounted.remove(connection);
    }
  }

  /**
   * Returns in words which connections were cut, or will be with the event loops, that nothing
   * counts; empty if none.
   */
  String describeCut() {
    int connections = cut.get() + uncounted.size();
    return connections == 0
        ? ""
        : ("requests that no handler of Lastcall counts may have been cut; connections: %d; allowed:"
                + " HTTP/1.1 by Netty's HttpServerCodec, and HTTP/2 by its Http2FrameCodec (in"
                + " Vert.x the multiplex implementation); the pipeline of one: %s")
            .formatted(connections, pipeline);
  }

  Counting counting() {
    if (counted) {
      return Counting.IN_PLACE;
    }
    return missing ? Counting.MISSING : Counting.UNKNOWN;
  }

  void add(TrackedConnection connection) {
    awaited.add(connection);
    // A channel may have closed before it was added: its close listener comes after, and removes.
    connection
        .channel()
        .closeFuture()
        .addListener(
            closed -> {
              uncounted.remove(connection); // first: the server may stop once all have ended
              remove(connection);
            });
  }

  /** An event stream on the connection has ended, and it may carry requests again. */
  void restore(TrackedConnection connection) {
    awaited.add(connection);
    if (!connection.channel().isOpen()) {
      remove(connection);
    }
  }

  /** All responses on {@code connection} are out. */
  void remove(TrackedConnection connection) {
    awaited.remove(connection);
  }

  /** Returns whether every connection is to end as soon as it is idle. */
  boolean isLastCall() {
    return awaited.isSettling();
  }

  /** How long a connection is kept for its first request. */
  Duration patience() {
    return patience;
  }

  /** For tests that are not about time. */
  void setPatience(Duration newPatience) {
    patience = newPatience;
  }

  Collection<TrackedConnection> open() {
    return awaited.all();
  }

  /** From now on every connection ends as soon as it is idle. */
  CompletionStage<?> endIdle() {
    return awaited.settle(List.of(), () -> open().forEach(TrackedConnection::closeIfIdle));
  }
}
