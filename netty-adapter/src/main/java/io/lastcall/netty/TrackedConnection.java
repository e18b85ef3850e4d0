package io.lastcall.netty;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.inflight.RequestGate;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** A connection that its listener has accepted. Thread-safe where it is not said otherwise. */
final class TrackedConnection implements HttpConnection {
  private static final AttributeKey<TrackedConnection> KEY =
      AttributeKey.valueOf(TrackedConnection.class, "KEY");

  private final Channel channel;
  private final ServerConnections owner;
  private final IdleEnd idleEnd;

  /** Null until the pipeline is set up, such as after a TLS handshake. Event loop only. */
  private @Nullable Protocol protocol;

  /** As the gate knows it; null until a handler of ours asks. Event loop only. */
  private @Nullable AcceptedConnection accepted;

  /** The application's handlers know that the connection leaves. Event loop only. */
  private boolean notified;

  /** closeIfIdle() was called, and its task has not run yet. */
  private volatile boolean closeQueued;

  private TrackedConnection(Channel channel, ServerConnections owner) {
    this.channel = channel;
    this.owner = owner;
    this.idleEnd = new IdleEnd(channel, owner, () -> protocol);
  }

  /**
   * Returns the connection that a handler of ours serves.
   *
   * @throws IllegalStateException if the handler does not run on the channel's event loop
   */
  static TrackedConnection of(ChannelHandlerContext ctx) {
    if (ctx.executor() != ctx.channel().eventLoop()) {
      throw new IllegalStateException(
          "Handler '"
              + ctx.name()
              + "' was added with an executor group, "
              + ctx.executor()
              + "; allowed is the channel's event loop: add it without one");
    }
    return of(ctx.channel());
  }

  /** Returns the connection of {@code channel}, tracked from its first use here. */
  static TrackedConnection of(Channel channel) {
    TrackedConnection known = channel.attr(KEY).get();
    if (known != null) {
      return known;
    }
    Channel listener = channel.parent() == null ? channel : channel.parent();
    ServerConnections owner = ServerConnections.of(listener);
    TrackedConnection created = new TrackedConnection(channel, owner);
    TrackedConnection earlier = channel.attr(KEY).setIfAbsent(created);
    if (earlier != null) {
      return earlier;
    }
    owner.add(created);
    return created;
  }

  /** Tracks what a listener has just accepted: nothing of the application's is in its pipeline. */
  static void accepted(Channel channel) {
    channel.pipeline().addFirst(new Uncounted(of(channel)));
  }

  Channel channel() {
    return channel;
  }

  /** Returns this connection as {@code gate} knows it, the same for each protocol it speaks. */
  AcceptedConnection accepted(RequestGate gate) {
    AcceptedConnection known = accepted;
    if (known == null) {
      known = gate.accepted(channel.remoteAddress());
      accepted = known;
    }
    return known;
  }

  /** The client has sent something, be it part of a TLS handshake. Event loop only. */
  void heard() {
    idleEnd.heard();
  }

  /** Returns whether a handler of ours counts its requests. Event loop only. */
  boolean isCounted() {
    return protocol != null;
  }

  /** The client has begun something that no handler of ours counts. Event loop only. */
  void markUncounted() {
    owner.markUncounted(this);
  }

  /** The server closes the connection, where nothing counts what is on it. Event loop only. */
  void closedByServer() {
    if (protocol == null && (idleEnd.isClosing() || owner.isLastCall())) {
      owner.closedByServer(this);
    }
  }

  /** Event loop only. */
  void speaks(Protocol newProtocol) {
    protocol = newProtocol;
    owner.markCounted(this);
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls != null && tls.handshakeFuture().isDone()) {
      handshakeDone();
    }
    if (owner.isLastCall()) {
      newProtocol.announceClose();
      idleEnd.check();
    }
  }

  /** Only now the client can send its first request. Event loop only. */
  void handshakeDone() {
    idleEnd.awaitFirstRequest();
  }

  /** Returns whether every connection is to end as soon as it can. */
  boolean isLastCall() {
    return owner.isLastCall();
  }

  /** All responses are out. */
  void nothingOwed() {
    owner.remove(this);
  }

  /** The connection may carry requests again. */
  void owesAgain() {
    owner.restore(this);
  }

  /** The connection has just become idle. Event loop only. */
  void becameIdle() {
    if (owner.isLastCall()) {
      idleEnd.check();
    }
  }

  /** Tells the application's handlers, once. Event loop only. */
  void notifyLeaving(ChannelHandlerContext from) {
    if (!notified) {
      notified = true;
      from.fireUserEventTriggered(new LeavingEvent.ConnectionLeaving());
    }
  }

  @Override
  public void announceClose() {
    onEventLoop(this::announceNow);
  }

  /** A blocked event loop may have a request that it has not read. */
  @Override
  public boolean isAnswering() {
    return closeQueued;
  }

  @Override
  public void closeIfIdle() {
    closeQueued = true;
    onEventLoop(
        () -> {
          closeQueued = false;
          announceNow();
          idleEnd.check();
        });
  }

  @Override
  public void closeIfIdleAndUnannounced() {
    onEventLoop(
        () -> {
          if (protocol == null || !protocol.isMultiplexed()) {
            closeIfIdle();
          }
        });
  }

  @Override
  public void forceClose() {
    onEventLoop(
        () -> {
          if (protocol != null) {
            protocol.forceClose();
          }
          if (idleEnd.isShakingHands()) {
            // No response can be sent within a handshake.
            channel.close();
          } else {
            idleEnd.check();
          }
        });
  }

  private void announceNow() {
    if (protocol != null) {
      protocol.announceClose();
    }
  }

  private void onEventLoop(Runnable action) {
    // A channel that is not registered yet: the call is repeated, at the latest by speaks().
    if (channel.isRegistered()) {
      execute(channel.eventLoop(), action);
    }
  }

  static void execute(EventExecutor eventLoop, Runnable action) {
    try {
      eventLoop.execute(action);
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and the connection with it.
    }
  }
}
