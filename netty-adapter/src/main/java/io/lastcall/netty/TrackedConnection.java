package io.lastcall.netty;

import io.lastcall.connection.HttpConnection;
import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.inflight.RequestGate;
import io.lastcall.spi.FirstRequest;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection that its listener has accepted. Thread-safe where it is not said otherwise. */
final class TrackedConnection implements HttpConnection {
  private static final AttributeKey<TrackedConnection> KEY =
      AttributeKey.valueOf(TrackedConnection.class, "KEY");

  private final Channel channel;
  private final ServerConnections owner;

  /** Until when the first request is awaited. Event loop only. */
  private Deadline firstRequest;

  /** Null until the pipeline is set up, such as after a TLS handshake. Event loop only. */
  private @Nullable Protocol protocol;

  /** As the gate knows it; null until a handler of ours asks. Event loop only. */
  private @Nullable AcceptedConnection accepted;

  /** The client has sent something. Event loop only. */
  private boolean heard;

  /** The drain closes it, and no handler of ours is there to do so. Event loop only. */
  private boolean ending;

  /** The application's handlers know that the connection leaves. Event loop only. */
  private boolean notified;

  /** A check has been scheduled. Event loop only. */
  private boolean checking;

  /** closeIfIdle() was called, and its task has not run yet. */
  private volatile boolean told;

  private TrackedConnection(Channel channel, ServerConnections owner) {
    this.channel = channel;
    this.owner = owner;
    this.firstRequest = Deadline.after(owner.patience(), Ticker.system());
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
    heard = true;
  }

  /** Returns whether a handler of ours counts its requests. Event loop only. */
  boolean isCounted() {
    return protocol != null;
  }

  /** The client has begun something that no handler of ours counts. Event loop only. */
  void isUncounted() {
    owner.isUncounted(this);
  }

  /** The server closes the connection, where nothing counts what is on it. Event loop only. */
  void closes() {
    if (protocol == null && (ending || owner.isLastCall())) {
      owner.cuts(this);
    }
  }

  /** Event loop only. */
  void speaks(Protocol newProtocol) {
    protocol = newProtocol;
    owner.isCounted(this);
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls != null && tls.handshakeFuture().isDone()) {
      handshakeDone();
    }
    if (owner.isLastCall()) {
      newProtocol.announceClose();
      check();
    }
  }

  /** Only now the client can send its first request. Event loop only. */
  void handshakeDone() {
    firstRequest = Deadline.after(owner.patience(), Ticker.system());
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
      check();
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
    return told;
  }

  @Override
  public void closeIfIdle() {
    told = true;
    onEventLoop(
        () -> {
          told = false;
          announceNow();
          check();
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
          if (isShakingHands()) {
            // No response can be sent within a handshake.
            channel.close();
          } else {
            check();
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

  /**
   * Ends the connection if it is still idle after one more select of the event loop, since a
   * request may already be in the socket's buffer.
   */
  private void check() {
    if (checking || isBusy()) {
      return;
    }
    checking = true;
    if (!channel.config().isAutoRead()) {
      channel.read();
    }
    checkBehindSelect(0);
  }

  /** By a scheduled task, which waits for the next select; one that is executed need not. */
  private void checkBehindSelect(long nanos) {
    channel.eventLoop().schedule(this::checkAgain, nanos, TimeUnit.NANOSECONDS);
  }

  /**
   * A connection that has not carried a request yet gets {@link FirstRequest#PATIENCE} for it: a
   * client that has just connected is about to send. A TLS handshake may end meanwhile, and it
   * begins anew.
   */
  private void checkAgain() {
    long wait = isBusy() ? 0 : nanosToWait();
    if (wait > 0) {
      checkBehindSelect(wait);
    } else {
      endIfStillIdle();
    }
  }

  private long nanosToWait() {
    return protocol == null || protocol.isUnused() ? firstRequest.remaining().toNanos() : 0;
  }

  private void endIfStillIdle() {
    checking = false;
    if (isBusy()) {
      return;
    }
    if (ConnectionEnd.hasUnreadInput(channel)) {
      check();
    } else if (protocol == null) {
      ending = true;
      channel.close();
    } else {
      protocol.end();
    }
  }

  /**
   * A client that has sent part of a head, or of a TLS handshake, is not cut off here. Core limits
   * how long the drain waits for it.
   */
  private boolean isBusy() {
    return isShakingHands()
        || (protocol != null && (protocol.isBusy() || protocol.hasPartOfRequest()));
  }

  /**
   * From the client's first byte on, which may be the PROXY protocol's; a silent client is not
   * waited for. With SNI there is no SslHandler before the client's hello is whole. One that is
   * added later, such as after a PROXY header, counts once it is there.
   */
  private boolean isShakingHands() {
    if (!heard) {
      return false;
    }
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    return tls == null
        ? channel.pipeline().get(AbstractSniHandler.class) != null
        : !tls.handshakeFuture().isDone();
  }
}
