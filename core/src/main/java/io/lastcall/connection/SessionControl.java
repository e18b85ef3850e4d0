package io.lastcall.connection;

import io.lastcall.process.ShutdownLog;
import io.lastcall.time.Deadline;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The {@link Sessions} of each name, and who listens for new ones. Thread-safe. */
public final class SessionControl {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private final Map<String, Sessions> byName = new ConcurrentSkipListMap<>();
  private final List<Consumer<Sessions>> listeners = new CopyOnWriteArrayList<>();
  private volatile BooleanSupplier refused = () -> false;

  /** Waits for the last one to close. */
  private volatile @Nullable Thread waiting;

  /** Creates one without any session. */
  public SessionControl() {}

  /** Sets when no new session may begin; never, before that. */
  public void refuseWhen(BooleanSupplier condition) {
    refused = condition;
  }

  /**
   * Returns the sessions of a name: one and the same for each call.
   *
   * @throws IllegalArgumentException if the name is blank or holds control characters
   */
  public Sessions get(String name) {
    Objects.requireNonNull(name, "name must not be null");
    if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "name='%s' of sessions is blank or holds control characters; allowed: printable text"
              .formatted(name));
    }
    Sessions added = new Sessions(name, () -> refused.getAsBoolean(), this::closed);
    Sessions known = byName.putIfAbsent(name, added);
    if (known != null) {
      return known;
    }
    listeners.forEach(listener -> notify(listener, added));
    return added;
  }

  /**
   * Calls {@code listener} for all there are, and for each new one on the thread that makes it;
   * rarely twice for one. What it throws is logged.
   */
  public void onSessions(Consumer<Sessions> listener) {
    listeners.add(listener);
    byName.values().forEach(sessions -> notify(listener, sessions));
  }

  /** Catches errors, too: the request that has begun the first session of a name goes on. */
  private static void notify(Consumer<Sessions> listener, Sessions sessions) {
    try {
      listener.accept(sessions);
    } catch (Throwable t) {
      ShutdownLog.warn(log, "A listener failed that was told of sessions '{}'", sessions.name(), t);
    }
  }

  /** All of a name are closed. */
  private void closed() {
    // The count is down before this is read, and the waiting thread is set before it counts.
    LockSupport.unpark(waiting);
  }

  /**
   * Parks the calling thread, the only one that waits here, until none is open.
   *
   * @param over ends the wait, too; whatever makes it true unparks the thread
   * @return false if the deadline passed first
   */
  public boolean awaitNone(Deadline end, Object blocker, BooleanSupplier over) {
    waiting = Thread.currentThread();
    try {
      return end.await(blocker, () -> over.getAsBoolean() || open() == 0);
    } finally {
      waiting = null;
    }
  }

  /** Returns how many are open. */
  public long open() {
    return byName.values().stream().mapToLong(Sessions::inProgress).sum();
  }

  /** Returns in words which are open. */
  public List<String> describe() {
    return byName.values().stream()
        .filter(sessions -> sessions.inProgress() > 0)
        .map(sessions -> sessions.inProgress() + " of sessions '" + sessions.name() + "'")
        .toList();
  }

  /** Returns in words which end with the process. */
  public List<String> lost() {
    return byName.values().stream()
        .filter(sessions -> sessions.lostAtTheEnd() > 0)
        .map(
            sessions ->
                "%d of sessions '%s' were open, and end with the process"
                    .formatted(sessions.lostAtTheEnd(), sessions.name()))
        .toList();
  }
}
