package io.lastcall.connection;

import io.lastcall.name.ByName;
import io.lastcall.process.ShutdownLog;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where adapters register long-lived connections, such as WebSockets and event streams: they are
 * not in flight, and are closed in CLOSE_CONNECTIONS. Thread-safe.
 */
public final class Connections {
  private static final Logger log = LoggerFactory.getLogger(Connections.class);

  private final Set<Registration> open = ConcurrentHashMap.newKeySet();
  private final ByName<Counts> kinds = new ByName<>("connections", Counts::new);
  private volatile boolean closing;
  private volatile @Nullable Thread waiter;

  Connections() {}

  /** Why a long-lived connection ended. */
  public enum CloseCause {
    /** Its client, its application or the network ended it. */
    ITSELF,
    /** The shutdown closed it. */
    SHUTDOWN,
    /** Closing it failed. */
    FAILURE
  }

  /** A registered connection. Thread-safe. */
  public final class Registration {
    private final LongLivedConnection connection;
    private final Counts counts;
    private final AtomicBoolean toldToClose = new AtomicBoolean();

    private Registration(LongLivedConnection connection, String kind) {
      this.connection = connection;
      counts = kinds.get(kind);
    }

    /** Says that the connection is gone. Only the first call counts. */
    public void closed() {
      ended(toldToClose.get() ? CloseCause.SHUTDOWN : CloseCause.ITSELF);
    }

    private void ended(CloseCause cause) {
      if (!open.remove(this)) {
        return;
      }
      counts.closed(cause).increment();
      if (closing && isNoneOpen()) {
        LockSupport.unpark(waiter);
      }
    }

    /**
     * Tells the connection to close, once; a failure counts as closed. An interrupt that {@code
     * close()} leaves is cleared: it would end the pacing of the remaining connections.
     */
    void close() {
      if (!toldToClose.compareAndSet(false, true)) {
        return;
      }
      boolean interruptedBefore = Thread.currentThread().isInterrupted();
      attempt("close", connection::close);
      if (!interruptedBefore) {
        Thread.interrupted();
      }
    }

    /** Counts the connection as closed: its client has had its time to answer. */
    void forceClose() {
      if (open.contains(this)) {
        attempt(
            "force-close",
            () -> {
              if (connection.forceClose()) {
                closed();
              }
            });
      }
    }

    /** Catches errors, too: one connection must not keep the others open. */
    private void attempt(String what, Attempt attempt) {
      try {
        attempt.run();
      } catch (Throwable t) {
        ended(CloseCause.FAILURE);
        ShutdownLog.warn(log, "Could not " + what + ' ' + counts.kind, t);
      }
    }
  }

  private interface Attempt {
    void run() throws Exception;
  }

  /** The connections of one kind that have ended since the process started. */
  private static final class Counts {
    private final String kind;
    private final Map<CloseCause, LongAdder> closed = new ConcurrentHashMap<>();

    Counts(String kind) {
      this.kind = kind;
    }

    LongAdder closed(CloseCause cause) {
      return closed.computeIfAbsent(cause, any -> new LongAdder());
    }

    /** The shutdown alone closes connections, and alone can fail to. */
    long byUs() {
      return closed(CloseCause.SHUTDOWN).sum() + closed(CloseCause.FAILURE).sum();
    }
  }

  /**
   * Registers a connection. Once connections are being closed, it is told to close at once, before
   * this method returns.
   *
   * @return what to notify when the connection is gone, whatever ended it
   */
  public Registration register(LongLivedConnection connection) {
    Registration registration = new Registration(connection, connection.kind());
    open.add(registration);
    // Added first, read after: either this sees the closing, or the closer's snapshot has it.
    if (closing) {
      registration.close();
    }
    return registration;
  }

  /** Returns how many are open now: a moment's view, for display. */
  public int open() {
    return open.size();
  }

  /** Exact, unlike {@link #open()}: a size is a sum, and may be read across two changes. */
  boolean isNoneOpen() {
    return !open.iterator().hasNext();
  }

  /** Returns how many of a kind are open now. */
  public long open(String kind) {
    return open.stream().filter(each -> each.counts.kind.equals(kind)).count();
  }

  /** Returns how many of a kind have ended so far for this cause. */
  public long closed(String kind, CloseCause cause) {
    return kinds.find(kind).map(counts -> counts.closed(cause).sum()).orElse(0L);
  }

  /**
   * Calls {@code listener} for each kind there is, and for each new one when its first connection
   * is registered, on the registering thread; rarely twice for one. What it throws is logged.
   */
  public void onKind(Consumer<String> listener) {
    kinds.onEach(counts -> listener.accept(counts.kind));
  }

  /** Has each later connection closed at once; returns those that are open now. */
  Collection<Registration> startClosing(Thread wakeWhenEmpty) {
    waiter = wakeWhenEmpty;
    closing = true;
    return all();
  }

  /** Returns those that are open now. */
  Collection<Registration> all() {
    return Set.copyOf(open);
  }

  /** Returns how many the shutdown has ended, by kind: not those that ended by themselves. */
  Map<String, Long> ended() {
    return kinds
        .each()
        .filter(counts -> counts.byUs() > 0)
        .collect(Collectors.toUnmodifiableMap(counts -> counts.kind, Counts::byUs));
  }
}
