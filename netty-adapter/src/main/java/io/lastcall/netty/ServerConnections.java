package io.lastcall.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.AttributeKey;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections of one listener that may still be owed an answer. They come in where the listener
 * accepts them, before anything of theirs is set up, so that none is missed behind a closing
 * listener; and leave when they are closed, half-closed with nothing owed, or no longer HTTP.
 * Thread-safe.
 */
final class ServerConnections {
  private static final AttributeKey<ServerConnections> KEY =
      AttributeKey.valueOf(ServerConnections.class, "KEY");

  private final Set<TrackedConnection> owed = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private volatile boolean lastCall;

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

  /** Follows what the listener accepts from now on. */
  static ServerConnections follow(Channel listener) {
    ServerConnections connections = of(listener);
    listener.pipeline().addFirst(new Accepts());
    if (!listener.eventLoop().inEventLoop()) {
      // The handler is passed over until the event loop has told it that it was added.
      listener.eventLoop().submit(() -> {}).awaitUninterruptibly();
    }
    return connections;
  }

  void add(TrackedConnection connection) {
    owed.add(connection);
    // A channel may have closed before it was added: its close listener comes after, and removes.
    connection.channel().closeFuture().addListener(closed -> remove(connection));
  }

  /** An event stream on the connection has ended, and it may carry requests again. */
  void restore(TrackedConnection connection) {
    owed.add(connection);
    if (!connection.channel().isOpen()) {
      remove(connection);
    }
  }

  /** Nothing more is owed on {@code connection}. */
  void remove(TrackedConnection connection) {
    owed.remove(connection);
    completeIfNoneOwed();
  }

  /** Returns whether every connection is to end as soon as it is idle. */
  boolean isLastCall() {
    return lastCall;
  }

  Collection<TrackedConnection> open() {
    return List.copyOf(owed);
  }

  /** From now on every connection ends as soon as it is idle. */
  CompletionStage<?> ended() {
    lastCall = true;
    // Those that became idle before they could see the flag.
    open().forEach(TrackedConnection::closeIfIdle);
    completeIfNoneOwed();
    return ended;
  }

  private void completeIfNoneOwed() {
    if (lastCall && owed.isEmpty()) {
      ended.complete(null);
    }
  }

  /** Sees each connection as the listener accepts it. */
  @Sharable
  private static final class Accepts extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Channel accepted) {
        TrackedConnection.of(accepted);
      }
      ctx.fireChannelRead(message);
    }
  }
}
