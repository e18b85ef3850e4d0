package io.lastcall.netty;

import io.lastcall.connection.Connections;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.connection.Registration;
import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A WebSocket or an event stream: not in flight, but to be told to end. */
final class LongLived implements LongLivedConnection {
  private final String kind;
  private final EventExecutor eventLoop;
  private final Runnable end;
  private final BooleanSupplier giveUp;

  /** Event loop only, as what is below. */
  private @Nullable Registration registration;

  private boolean told;

  private LongLived(String kind, EventExecutor eventLoop, Runnable end, BooleanSupplier giveUp) {
    this.kind = kind;
    this.eventLoop = eventLoop;
    this.end = end;
    this.giveUp = giveUp;
  }

  /**
   * Registers a connection. Event loop only.
   *
   * @param end begins to end it, on the event loop, at the earliest when the caller is done
   */
  static LongLived register(
      Connections connections, String kind, EventExecutor eventLoop, Runnable end) {
    return register(connections, kind, eventLoop, end, () -> false);
  }

  /**
   * As above, for one whose client has an answer to give.
   *
   * @param giveUp {@link LongLivedConnection#giveUp}, on any thread
   */
  static LongLived register(
      Connections connections,
      String kind,
      EventExecutor eventLoop,
      Runnable end,
      BooleanSupplier giveUp) {
    LongLived connection = new LongLived(kind, eventLoop, end, giveUp);
    connection.registration = connections.register(connection);
    return connection;
  }

  @Override
  public String kind() {
    return kind;
  }

  @Override
  public void close() {
    try {
      eventLoop.execute(this::tell);
    } catch (RejectedExecutionException e) {
      // The event loop has ended, and the connection with it.
    }
  }

  /** Once: what comes of it may take its time, on a thread of the application's. */
  private void tell() {
    if (!told) {
      told = true;
      end.run();
    }
  }

  @Override
  public boolean giveUp() {
    return giveUp.getAsBoolean();
  }

  /** The connection, or the stream on it, is gone. Event loop only; only the first call counts. */
  void ended() {
    if (registration != null) {
      registration.closed();
    }
  }
}
