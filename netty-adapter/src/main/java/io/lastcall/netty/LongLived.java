package io.lastcall.netty;

import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.netty.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/** A WebSocket or an event stream: not in flight, and ended in CLOSE_CONNECTIONS. */
final class LongLived implements LongLivedConnection {
  private final String kind;
  private final ChannelHandlerContext ctx;
  private final Runnable end;
  private final Runnable forcedEnd;

  /** Event loop only, as what is below. */
  private @Nullable Registration registration;

  private boolean endBegun;

  private LongLived(String kind, ChannelHandlerContext ctx, Runnable end, Runnable forcedEnd) {
    this.kind = kind;
    this.ctx = ctx;
    this.end = end;
    this.forcedEnd = forcedEnd;
  }

  /**
   * Registers a connection. Event loop only.
   *
   * @param end begins to end it, on the event loop, at the earliest when the caller is done
   * @param forcedEnd ends it, on the event loop, where its client has not answered in time
   */
  static LongLived register(
      Connections connections,
      String kind,
      ChannelHandlerContext ctx,
      Runnable end,
      Runnable forcedEnd) {
    LongLived connection = new LongLived(kind, ctx, end, forcedEnd);
    connection.registration = connections.register(connection);
    return connection;
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public void close() {
    TrackedConnection.execute(ctx.executor(), this::beginEnd);
  }

  /** Once: what comes of it may take its time, on a thread of the application's. */
  private void beginEnd() {
    if (!endBegun) {
      endBegun = true;
      end.run();
    }
  }

  /** Counts as gone, whether its client reads slowly or not at all. */
  @Override
  public boolean forceClose() {
    TrackedConnection.execute(ctx.executor(), forcedEnd);
    return true;
  }

  /**
   * The connection, or the stream on it, is gone. On the event loop, or after that has ended; only
   * the first call counts.
   */
  void ended() {
    if (registration != null) {
      registration.closed();
    }
  }
}
