package io.lastcall.netty;

import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A WebSocket or an event stream: not in flight, but to be told to end. */
final class LongLived implements LongLivedConnection {
  /** What waits to be sent on one stream, and is not in the buffer of the channel. */
  interface Window {
    /** Returns whether something waits, and nothing of it has left since the last call. */
    boolean isStuck();

    /** Ends that stream, and no other. */
    void reset();
  }

  private final String kind;
  private final ChannelHandlerContext ctx;
  private final Runnable end;
  private final BooleanSupplier owesAnswer;

  /** Null if it has a connection of its own. */
  private final @Nullable Window window;

  /**
   * How to let go of a client that from one look to the next took in nothing of what waits to be
   * sent; null of one that did.
   */
  private volatile @Nullable Runnable wayOut;

  /** Event loop only, as what is below. */
  private @Nullable Registration registration;

  private boolean told;

  /** In bytes, what the channel had still to send when it was looked at last. */
  private long unsent;

  private LongLived(
      String kind,
      ChannelHandlerContext ctx,
      Runnable end,
      BooleanSupplier owesAnswer,
      @Nullable Window window) {
    this.kind = kind;
    this.ctx = ctx;
    this.end = end;
    this.owesAnswer = owesAnswer;
    this.window = window;
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
    return register(connections, new LongLived(kind, ctx, end, owesAnswer, null));
  }

  /** As the first, for a stream that shares its connection with others. */
  static LongLived register(
      Connections connections,
      String kind,
      ChannelHandlerContext ctx,
      Runnable end,
      Window window) {
    return register(connections, new LongLived(kind, ctx, end, () -> false, window));
  }

  private static LongLived register(Connections connections, LongLived connection) {
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
      // What the next look compares with.
      look();
    }
  }

  /**
   * Past the application's handlers, which may have an answer of the peer's to wait for, too, as
   * Vert.x's do, for 10 s.
   */
  @Override
  public boolean forceClose() {
    Runnable known = owesAnswer.getAsBoolean() ? ctx::close : wayOut;
    TrackedConnection.execute(ctx.executor(), known != null ? known : () -> wayOut = look());
    return known != null;
  }

  private @Nullable Runnable look() {
    long before = unsent;
    unsent = unsent();
    // Asked in any case: it compares with the look before, too.
    Runnable reset = window == null || !window.isStuck() ? null : window::reset;
    return unsent > 0 && unsent >= before ? ctx::close : reset;
  }

  private long unsent() {
    ChannelOutboundBuffer buffer = ctx.channel().unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
  }

  /**
   * The connection, or the stream on it, is gone. Event loop only, or what that did is over; only
   * the first call counts.
   */
  void ended() {
    if (registration != null) {
      registration.closed();
    }
  }
}
