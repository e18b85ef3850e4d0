package io.lastcall.connection;

import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/** The sequence's end of {@link Connections}. Thread-safe; {@link #closeAll} runs once. */
public final class ConnectionControl {
  private final Connections connections = new Connections();
  private volatile boolean everyoneTold;

  /** Creates an empty registry. */
  public ConnectionControl() {}

  /** Returns the adapters' end. */
  public Connections connections() {
    return connections;
  }

  /**
   * Tells every connection to close, spread over {@code window}, and waits until all are gone, or
   * given up on. Woken by the last one to go; nothing polls, but for {@link
   * LongLivedConnection#giveUp}. An interrupt ends the pacing, not the wait, and is restored after
   * it.
   *
   * @return false if some were still open at the deadline
   */
  public boolean closeAll(Duration window, Deadline deadline) {
    Collection<Registration> registered = connections.startClosing(Thread.currentThread());
    Pacer.spread(registered, window, deadline, connections::isNoneOpen, connections::tell);
    everyoneTold = true;
    return awaitNone(deadline);
  }

  private boolean awaitNone(Deadline deadline) {
    Duration patience = patience(deadline.remaining());
    do {
      // Whoever is here now has had its time when the wait is over; who comes later has not.
      Collection<Registration> told = connections.all();
      Deadline answer = Deadline.after(patience, deadline.ticker());
      if (deadline.earlier(answer).await(connections, connections::isNoneOpen)) {
        return true;
      }
      if (answer.hasPassed()) {
        told.forEach(connections::giveUp);
      }
    } while (!deadline.hasPassed());
    return connections.isNoneOpen();
  }

  /** Where there is not even that, a third: one that takes nothing in is asked for twice. */
  private static Duration patience(Duration left) {
    Duration answer = LongLivedConnection.ANSWER;
    return left.compareTo(answer) > 0 ? answer : left.dividedBy(3);
  }

  /**
   * Returns whether {@link #closeAll} has told all of them, so that it only waits for their end.
   */
  public boolean isEveryoneTold() {
    return everyoneTold;
  }

  /** Returns how many ended since {@link #closeAll} began, by kind. */
  public Map<String, Long> ended() {
    return connections.ended();
  }
}
