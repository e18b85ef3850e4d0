package io.lastcall.connection;

import io.lastcall.process.ShutdownLog;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where adapters register long-lived connections: WebSockets, event streams, whatever is not "in
 * flight" but must be told to end. Thread-safe.
 */
public final class Connections {
  private static final Logger log = LoggerFactory.getLogger(Connections.class);

  private final Set<Registration> open = ConcurrentHashMap.newKeySet();
  private final Map<String, KindCounts> kinds = new ConcurrentHashMap<>();
  private final List<Consumer<String>> kindListeners = new CopyOnWriteArrayList<>();
  private final Map<String, LongAdder> ended = new ConcurrentHashMap<>();
  private volatile boolean closing;
  private volatile @Nullable Thread waiter;

  /** Creates an empty registry. */
  Connections() {}

  /**
   * Registers a connection. Once connections are being closed, it is told to close at once.
   *
   * @return what to call when the connection is gone, whoever ended it
   */
  public Registration register(LongLivedConnection connection) {
    Registration registration = new Registration(this, connection, connection.kind());
    counts(registration.kind()).opened();
    open.add(registration);
    // Added first, read after: either this sees the closing, or the closer's snapshot sees us.
    if (closing) {
      tell(registration);
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
    KindCounts counts = kinds.get(kind);
    return counts == null ? 0 : counts.open();
  }

  /** Returns how many of a kind have ended so far for this cause. */
  public long closed(String kind, CloseCause cause) {
    KindCounts counts = kinds.get(kind);
    return counts == null ? 0 : counts.closings(cause);
  }

  /**
   * Calls {@code listener} for each kind there is, and for each new one as its first connection is
   * registered, on the registering thread; rarely twice for one. What it throws is logged.
   */
  public void onKind(Consumer<String> listener) {
    kindListeners.add(listener);
    kinds.keySet().forEach(kind -> tell(listener, kind));
  }

  private KindCounts counts(String kind) {
    KindCounts known = kinds.get(kind);
    if (known != null) {
      return known;
    }
    KindCounts fresh = new KindCounts();
    KindCounts other = kinds.putIfAbsent(kind, fresh);
    if (other != null) {
      return other;
    }
    kindListeners.forEach(listener -> tell(listener, kind));
    return fresh;
  }

  private static void tell(Consumer<String> listener, String kind) {
    try {
      listener.accept(kind);
    } catch (Throwable t) {
      // Errors too: the connection is still to be registered.
      ShutdownLog.warn(log, "A listener failed for connections of kind " + kind, t);
    }
  }

  void deregister(Registration registration) {
    deregister(registration, registration.wasTold() ? CloseCause.SHUTDOWN : CloseCause.ITSELF);
  }

  private void deregister(Registration registration, CloseCause cause) {
    if (!open.remove(registration)) {
      return;
    }
    counts(registration.kind()).closed(cause);
    if (closing) {
      ended.computeIfAbsent(registration.kind(), kind -> new LongAdder()).increment();
      if (isNoneOpen()) {
        LockSupport.unpark(waiter);
      }
    }
  }

  /**
   * Tells one connection to close, once. A failure counts as closed. An interrupt flag that {@code
   * close()} leaves set is cleared: it would end the pacing of the remaining connections.
   */
  void tell(Registration registration) {
    if (!registration.tellOnce()) {
      return;
    }
    boolean interruptedBefore = Thread.currentThread().isInterrupted();
    try {
      registration.connection().close();
    } catch (Throwable t) {
      // Errors too: the others are still to be told.
      deregister(registration, CloseCause.FAILURE);
      ShutdownLog.warn(log, "Could not close " + registration.kind(), t);
    } finally {
      if (!interruptedBefore) {
        Thread.interrupted();
      }
    }
  }

  /** Asks whether only the client of one that has been told is awaited; if so it has ended. */
  void giveUp(Registration registration) {
    if (!open.contains(registration)) {
      return;
    }
    try {
      if (registration.connection().giveUp()) {
        deregister(registration);
      }
    } catch (Throwable t) {
      deregister(registration, CloseCause.FAILURE);
      ShutdownLog.warn(log, "Could not give up on " + registration.kind(), t);
    }
  }

  /** From now on newcomers are told at once; returns those that were here before. */
  Collection<Registration> startClosing(Thread wakeWhenEmpty) {
    waiter = wakeWhenEmpty;
    closing = true;
    return all();
  }

  /** Returns those that are open now. */
  Collection<Registration> all() {
    return Set.copyOf(open);
  }

  Map<String, Long> ended() {
    return ended.entrySet().stream()
        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue().sum()));
  }
}
