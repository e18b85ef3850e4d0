package io.lastcall.connection;

import io.lastcall.name.ByName;
import io.lastcall.time.Deadline;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Sessions} of each name. Thread-safe.
 *
 * @hidden of the library itself
 */
public final class SessionControl {
  private final ByName<Sessions> byName = new ByName<>("sessions", this::make);
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
    return byName.get(name);
  }

  private Sessions make(String name) {
    return new Sessions(
        ByName.printable("sessions", name), () -> refused.getAsBoolean(), this::closed);
  }

  /** As {@link ByName#onEach}. */
  public void onSessions(Consumer<Sessions> listener) {
    byName.onEach(listener);
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
    return byName.each().mapToLong(Sessions::inProgress).sum();
  }

  /** Returns in words which are open. */
  public List<String> describe() {
    return byName.describe(Sessions::inProgress);
  }

  /** Returns in words which end with the process. */
  public List<String> lost() {
    return byName.describe(Sessions::lostAtTheEnd).stream()
        .map(open -> open + " were open, and end with the process")
        .toList();
  }
}
