package io.lastcall.connection;

import io.lastcall.process.ShutdownLog;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
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
  private final Map<String, Counts> kinds = new ConcurrentHashMap<>();
  private final List<Consumer<String>> kindListeners = new CopyOnWriteArrayList<>();
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
    private final String kind;
    private final Counts counts;
    private final AtomicBoolean toldToClose = new AtomicBoolean();

    private Registration(LongLivedConnection connection, String kind) {
      this.connection = connection;
      this.kind = kind;
      counts = counts(kind);
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
        ShutdownLog.warn(log, "Could not " + what + ' ' + kind, t);
      }
    }
  }

  private interface Attempt {
    void run() throws Exception;
  }

  /** The connections of one kind since the process started. */
  private static final class Counts {
    private final LongAdder opened = new LongAdder();
    private final Map<CloseCause, LongAdder> closed = new ConcurrentHashMap<>();

    LongAdder closed(CloseCause cause) {
      return closed.computeIfAbsent(cause, any -> new LongAdder());
    }

    /** The shutdown alone closes connections, and alone can fail to. */
    long byUs() {
      return closed(CloseCause.SHUTDOWN).sum() + closed(CloseCause.FAILURE).sum();
    }

    /** Sums up closings first: each has its opening before it, so this is never negative. */
    long open() {
      long ended = closed.values().stream().mapToLong(LongAdder::sum).sum();
      return opened.sum() - ended;
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
    registration.counts.opened.increment();
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
    Counts counts = kinds.get(kind);
    return counts == null ? 0 : counts.open();
  }

  /** Returns how many of a kind have ended so far for this cause. */
  public long closed(String kind, CloseCause cause) {
    Counts counts = kinds.get(kind);
    return counts == null ? 0 : counts.closed(cause).sum();
  }

  /**
   * Calls {@code listener} for each kind there is, and for each new one when its first connection
   * is registered, on the registering thread; rarely twice for one. What it throws is logged.
   */
  public void onKind(Consumer<String> listener) {
    kindListeners.add(listener);
    kinds.keySet().forEach(kind -> notifyListener(listener, kind));
  }

  private Counts counts(String kind) {
    Counts known = kinds.get(kind);
    if (known != null) {
      return known;
    }
    Counts fresh = new Counts();
    Counts other = kinds.putIfAbsent(kind, fresh);
    if (other != null) {
      return other;
    }
    kindListeners.forEach(listener -> notifyListener(listener, kind));
    return fresh;
  }

  /** Catches errors, too: the connection is still to be registered. */
  private static void notifyListener(Consumer<String> listener, String kind) {
    try {
      listener.accept(kind);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "A listener failed for connections of kind " + kind, t);
    }
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
    return kinds.entrySet().stream()
        .filter(kind -> kind.getValue().byUs() > 0)
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, kind -> kind.getValue().byUs()));
  }
}
