package io.lastcall.connection;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Conversations of one kind that outlive requests and connections: of users who are logged in, of
 * MCP clients. They hold a release, not a grace period: DRAIN does not wait for them, but {@code
 * /idle} and the metrics count them, so that a release that is out of service stays until the last
 * one is closed. {@code /prestop?wait=sessions} waits for them before the shutdown. Thread-safe.
 *
 * <pre>{@code
 * Optional<Sessions.Session> session = shutdown.sessions("mcp").open();
 * if (session.isEmpty()) {
 *   return status(503); // the client begins again, at another process
 * }
 * }</pre>
 */
public final class Sessions {
  private final String name;
  private final BooleanSupplier refused;
  private final Runnable noneLeft;
  private final AtomicLong open = new AtomicLong();

  /** Those that are open and lost when the process ends. */
  private final AtomicLong here = new AtomicLong();

  Sessions(String name, BooleanSupplier refused, Runnable noneLeft) {
    this.name = name;
    this.refused = refused;
    this.noneLeft = noneLeft;
  }

  /** Returns its name, as logs, metrics and the report have it. */
  public String name() {
    return name;
  }

  /**
   * Opens a session that lives in this process alone. Where it is still open when the process ends,
   * the shutdown is incomplete.
   *
   * @return empty if no new session may begin here: the process has been out of service for longer
   *     than the propagation delay. Before that routers may still send new clients, which are
   *     served
   */
  public Optional<Session> open() {
    if (refused.getAsBoolean()) {
      return Optional.empty();
    }
    here.incrementAndGet();
    open.incrementAndGet();
    return Optional.of(new Session(this, true));
  }

  /**
   * Counts a session that exists already, and may be stored elsewhere: one of a servlet container,
   * or one that moved here. It is never refused, and its loss is none of the report's business.
   */
  public Session adopt() {
    open.incrementAndGet();
    return new Session(this, false);
  }

  /** Returns how many are open; a moment's view, for display. */
  public long inProgress() {
    return open.get();
  }

  long lostAtTheEnd() {
    return here.get();
  }

  /** One session, until it is closed. Closing it again does nothing. Thread-safe. */
  public static final class Session implements AutoCloseable {
    private final Sessions all;
    private final boolean here;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Session(Sessions all, boolean here) {
      this.all = Objects.requireNonNull(all);
      this.here = here;
    }

    /** The conversation is over. */
    @Override
    public void close() {
      if (closed.compareAndSet(false, true)) {
        if (here) {
          all.here.decrementAndGet();
        }
        if (all.open.decrementAndGet() == 0) {
          all.noneLeft.run();
        }
      }
    }
  }
}
