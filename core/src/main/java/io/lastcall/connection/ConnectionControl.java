package io.lastcall.connection;

import io.lastcall.connection.Connections.Registration;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/**
 * The sequence's side of {@link Connections}. Thread-safe; {@link #closeAll} runs once.
 *
 * @hidden of the library itself
 */
public final class ConnectionControl {
  private final Connections connections = new Connections();
  private final SessionControl sessions = new SessionControl();
  private volatile boolean allToldToClose;

  /** Creates an empty registry. */
  public ConnectionControl() {}

  /** Returns the adapters' side. */
  public Connections connections() {
    return connections;
  }

  /** Returns the sessions, which outlive connections. */
  public SessionControl sessions() {
    return sessions;
  }

  /**
   * Tells every connection to close, spread over {@code window}, and waits until all are gone or
   * were forced to close. The last one to go ends the wait. An interrupt ends the pacing, not the
   * wait, and is restored after it.
   *
   * @return false if some were still open at the deadline
   */
  public boolean closeAll(Duration window, Deadline deadline) {
    Collection<Registration> registered = connections.startClosing(Thread.currentThread());
    // The deadline may move to earlier meanwhile: the last client still has time to answer.
    Deadline allTold = deadline.plus(answer(deadline.remaining().dividedBy(2)).negated());
    Pacer.spread(registered, window, () -> allTold, connections::isNoneOpen, Registration::close);
    allToldToClose = true;
    // Where there is less time than ANSWER, a third: a client that takes nothing in is asked twice.
    Duration left = deadline.remaining();
    Duration patience =
        left.compareTo(LongLivedConnection.ANSWER) > 0
            ? LongLivedConnection.ANSWER
            : left.dividedBy(3);
    do {
      // Those that are open now have had their time when the wait ends; later ones have not.
      Collection<Registration> told = connections.all();
      Deadline answer = Deadline.after(patience, deadline.ticker());
      if (deadline.earlier(answer).await(connections, connections::isNoneOpen)) {
        return true;
      }
      if (answer.hasPassed()) {
        told.forEach(Registration::forceClose);
      }
    } while (!deadline.hasPassed());
    return connections.isNoneOpen();
  }

  private static Duration answer(Duration most) {
    return most.compareTo(LongLivedConnection.ANSWER) < 0 ? most : LongLivedConnection.ANSWER;
  }

  /** Returns whether {@link #closeAll} has told each one to close, and only waits for their end. */
  public boolean areAllToldToClose() {
    return allToldToClose;
  }

  /** Returns how many ended since {@link #closeAll} began, by kind. */
  public Map<String, Long> ended() {
    return connections.ended();
  }
}
