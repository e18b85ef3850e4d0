package io.lastcall.netty;

import io.lastcall.connection.Connections;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.connection.Registration;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A WebSocket or an event stream: not in flight, but to be told to end. */
final class LongLived implements LongLivedConnection {
  private final String kind;
  private final ChannelHandlerContext ctx;
  private final Runnable end;
  private final BooleanSupplier owesAnswer;

  /** From one look to the next its client took in nothing of what waits to be sent. */
  private volatile boolean stalled;

  /** Event loop only, as what is below. */
  private @Nullable Registration registration;

  private boolean told;

  /** In bytes, what the channel had still to send when it was looked at last. */
  private long unsent;

  private LongLived(
      String kind, ChannelHandlerContext ctx, Runnable end, BooleanSupplier owesAnswer) {
    this.kind = kind;
    this.ctx = ctx;
    this.end = end;
    this.owesAnswer = owesAnswer;
  }

  /**
   * Registers a connection. Event loop only.
   *
   * @param end begins to end it, on the event loop, at the earliest when the caller is done
   */
  static LongLived register(
      Connections connections, String kind, ChannelHandlerContext ctx, Runnable end) {
    return register(connections, kind, ctx, end, () -> false);
  }

  /**
   * As above, for one whose client has an answer to give.
   *
   * @param owesAnswer whether nothing but that is awaited; asked on any thread
   */
  static LongLived register(
      Connections connections,
      String kind,
      ChannelHandlerContext ctx,
      Runnable end,
      BooleanSupplier owesAnswer) {
    LongLived connection = new LongLived(kind, ctx, end, owesAnswer);
    connection.registration = connections.register(connection);
    return connection;
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public void close() {
    TrackedConnection.execute(ctx.executor(), this::tell);
  }

  /** Once: what comes of it may take its time, on a thread of the application's. */
  private void tell() {
    if (!told) {
      told = true;
      end.run();
      unsent = unsent();
    }
  }

  /**
   * Past the application's handlers, which may have an answer of the peer's to wait for, too, as
   * Vert.x's do, for 10 s.
   */
  @Override
  public boolean giveUp() {
    boolean nobodyThere = stalled || owesAnswer.getAsBoolean();
    TrackedConnection.execute(ctx.executor(), nobodyThere ? ctx::close : this::look);
    return nobodyThere;
  }

  private void look() {
    long before = unsent;
    unsent = unsent();
    stalled = unsent > 0 && unsent >= before;
  }

  private long unsent() {
    ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
  }

  /** The connection, or the stream on it, is gone. Event loop only; only the first call counts. */
  void ended() {
    if (registration != null) {
      registration.closed();
    }
  }
}
