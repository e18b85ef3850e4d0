package io.lastcall.netty;

import io.lastcall.connection.DrainableServer.Counting;
import io.lastcall.spi.AwaitedConnections;
import io.lastcall.spi.FirstRequest;
import io.lastcall.time.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.netty.channel.nio.AbstractNioChannel.NioUnsafe;
import io.netty.util.AttributeKey;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one listener that may still need an answer. Each is added when the listener
 * accepts it, before its pipeline is set up, so that none is missed while the listener closes. It
 * is removed when it is closed, half-closed with all responses out, an event stream, or no longer
 * HTTP. Thread-safe.
 */
final class ServerConnections {
  private static final AttributeKey<ServerConnections> KEY =
      AttributeKey.valueOf(ServerConnections.class, "KEY");

  /** For an event loop that does what event loops are for, a pass of it takes microseconds. */
  private static final Duration FOLLOW = Duration.ofSeconds(10);

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

  /** The client address of our own connection. */
  private volatile @Nullable SocketAddress own;

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

  /** Follows what the listener accepts from now on, and hands it to {@code accepted}, too. */
  static ServerConnections follow(Channel listener, Consumer<Channel> accepted) {
    ServerConnections connections = of(listener);
    readOnWhateverIsRead(listener);
    listener.pipeline().addFirst(connections.new Accepts(accepted));
    // The pipeline skips the handler until the event loop has called handlerAdded.
    if (!listener.eventLoop().inEventLoop()
        && !listener.eventLoop().submit(() -> {}).awaitUninterruptibly(FOLLOW.toMillis())) {
      throw new IllegalStateException(
          "The event loop of " + listener + " is blocked: connections cannot be followed");
    }
    return connections;
  }

  /**
   * Netty 4.2's epoll takes the descriptor that an accept returns for a number of bytes, and ends
   * the read after each: connections queued after our own would be reset. How many a read may
   * accept does not change by this. In time for the first read, which keeps it.
   */
  private static void readOnWhateverIsRead(Channel listener) {
    if (listener.config().getRecvByteBufAllocator()
        instanceof DefaultMaxMessagesRecvByteBufAllocator reads) {
      reads.respectMaybeMoreData(false);
    }
  }

  /**
   * The connection from {@code address} is the last one that the listener accepts, together with
   * those that are queued after it by then.
   */
  void endWith(Channel listener, SocketAddress address, Deadline deadline) {
    Runnable begin =
        () -> {
          if (listener.config().getRecvByteBufAllocator()
              instanceof MaxMessagesRecvByteBufAllocator all) {
            // One read accepts all that is queued.
            all.maxMessagesPerRead(Integer.MAX_VALUE);
          }
          own = address;
          // An application may have switched accepting off.
          listener.config().setAutoRead(true);
        };
    // Between two reads: one that is going on has the limit that it began with.
    listener
        .eventLoop()
        .submit(begin)
        .awaitUninterruptibly(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
  }

  void isCounted(TrackedConnection connection) {
    counted = true;
    uncounted.remove(connection);
  }

  void isUncounted(TrackedConnection connection) {
    Channel channel = connection.channel();
    missing |= channel.pipeline().get(Placement.class) == null;
    if (channel.isOpen() && uncounted.add(connection)) {
      pipeline = channel.pipeline().names();
    }
  }

  /** A connection closes before its client has an answer, if it is one that nothing counts. */
  void cuts(TrackedConnection connection) {
    if (uncounted.contains(connection)) {
      cut.incrementAndGet();
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

  /**
   * Sees each connection as the listener accepts it. Closes the listener on the accepting thread,
   * as soon as our own connection has come and the queue is empty: any gap between the last accept
   * and the close would reset a client.
   */
  private final class Accepts extends ChannelInboundHandlerAdapter {
    private final Consumer<Channel> eachAccepted;

    /** Ours: no event loop has it, and no pipeline of the application is set up for it. */
    private @Nullable Channel last;

    /** By the read that is going on. */
    private int accepted;

    Accepts(Consumer<Channel> eachAccepted) {
      this.eachAccepted = eachAccepted;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      accepted++;
      if (message instanceof Channel connection) {
        if (isOwn(connection)) {
          last = connection;
          return;
        }
        TrackedConnection.accepted(connection);
        eachAccepted.accept(connection);
      }
      ctx.fireChannelRead(message);
    }

    private boolean isOwn(Channel connection) {
      SocketAddress known = own;
      return known != null && known.equals(connection.remoteAddress());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
      int before = accepted;
      accepted = 0;
      if (last != null) {
        closeIfNoneQueued(ctx, last, before);
      }
      ctx.fireChannelReadComplete();
    }

    /** Only NIO passes on the accepted connections after its last accept. */
    private void closeIfNoneQueued(ChannelHandlerContext ctx, Channel ours, int before) {
      Channel listener = ctx.channel();
      if (!(listener.unsafe() instanceof NioUnsafe nio)) {
        close(ctx, ours);
      } else if (before > 0) {
        ctx.executor().execute(() -> readOn(ctx, nio, ours));
      } else if (listener.isRegistered()) {
        leaveSelector(ctx, nio, ours);
      } else {
        close(ctx, ours);
      }
    }

    /**
     * The port of a closed channel stays open until its selector's next select: the kernel would
     * queue clients that connect meanwhile, and then reset them.
     */
    private void leaveSelector(ChannelHandlerContext ctx, NioUnsafe nio, Channel ours) {
      ctx.channel()
          .deregister()
          .addListener(
              left ->
                  ctx.executor().schedule(() -> readOn(ctx, nio, ours), 0, TimeUnit.NANOSECONDS));
    }

    /** If the application has closed it by now, a read would fail and our own stay open. */
    private void readOn(ChannelHandlerContext ctx, NioUnsafe nio, Channel ours) {
      if (ctx.channel().isOpen()) {
        nio.read();
      } else {
        close(ctx, ours);
      }
    }

    private void close(ChannelHandlerContext ctx, Channel ours) {
      ctx.channel().close();
      ours.unsafe().closeForcibly();
    }
  }
}
