package io.lastcall.netty;

import io.lastcall.connection.FirstRequest;
import io.lastcall.connection.HttpConnection;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AttributeKey;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection that its listener has accepted. Thread-safe where it is not said otherwise. */
final class TrackedConnection implements HttpConnection {
  private static final AttributeKey<TrackedConnection> KEY =
      AttributeKey.valueOf(TrackedConnection.class, "KEY");

  private final Channel channel;
  private final ServerConnections owner;
  private final Deadline firstRequest;

  /** Null until the pipeline is set up: behind a TLS handshake, say. Event loop only. */
  private @Nullable Protocol protocol;

  /** A check has been scheduled. Event loop only. */
  private boolean checking;

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

  Channel channel() {
    return channel;
  }

  /** Event loop only. */
  void speaks(Protocol newProtocol) {
    protocol = newProtocol;
    if (owner.isLastCall()) {
      newProtocol.announce();
      check();
    }
  }

  /** Returns whether every connection is to end as soon as it can. */
  boolean isLastCall() {
    return owner.isLastCall();
  }

  /** Nothing more is owed. */
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

  @Override
  public void announce() {
    onEventLoop(this::announceNow);
  }

  @Override
  public void closeIfIdle() {
    onEventLoop(
        () -> {
          announceNow();
          check();
        });
  }

  @Override
  public void giveUp() {
    onEventLoop(
        () -> {
          if (protocol != null) {
            protocol.giveUp();
          }
          check();
        });
  }

  private void announceNow() {
    if (protocol != null) {
      protocol.announce();
    }
  }

  private void onEventLoop(Runnable action) {
    try {
      // One that is not registered yet is told again, or at the last call by speaks().
      if (channel.isRegistered()) {
        channel.eventLoop().execute(action);
      }
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and the connection with it.
    }
  }

  /**
   * Ends the connection if it is idle behind one more pass of the event loop, since a request may
   * already be in the socket's buffer: a scheduled task runs behind the next select, an executed
   * one need not.
   */
  private void check() {
    if (checking || isBusy()) {
      return;
    }
    checking = true;
    if (!channel.config().isAutoRead()) {
      channel.read();
    }
    channel.eventLoop().schedule(this::checkAgain, 0, TimeUnit.NANOSECONDS);
  }

  /**
   * A connection that has not carried a request yet gets {@link FirstRequest#PATIENCE} for it: a
   * client that has just connected is about to send.
   */
  private void checkAgain() {
    long wait = isBusy() ? 0 : nanosToWait();
    if (wait > 0) {
      channel.eventLoop().schedule(this::endIfStillIdle, wait, TimeUnit.NANOSECONDS);
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
    if (protocol == null) {
      channel.close();
    } else {
      protocol.end();
    }
  }

  /**
   * A client that has sent part of a head is not cut off here. Core limits how long the drain waits
   * for it.
   */
  private boolean isBusy() {
    return protocol != null && (protocol.isBusy() || protocol.hasPartOfRequest());
  }
}
