package io.lastcall.servlet.tomcat;

import io.lastcall.servlet.UpgradedConnection;
import org.apache.coyote.Request;
import org.apache.tomcat.util.net.NioChannel;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/**
 * What the thread works on: one connection at a time. One object for each thread, emptied and used
 * again: to set and remove the thread-local's value would cost each request a weak reference.
 */
final class CurrentWork {
  private static final ThreadLocal<CurrentWork> CURRENT = ThreadLocal.withInitial(CurrentWork::new);

  private @Nullable SocketWrapperBase<NioChannel> wrapper;

  /** Of the connector that the connection has come by. */
  private @Nullable ConnectionLedger ledger;

  /** When the connection was accepted, if this is its first request; otherwise negative. */
  private long acceptTime;

  /** Known if responses may say close. */
  private @Nullable Request request;

  private CurrentWork() {}

  /** Returns false if the thread is at work on {@code wrapper} already. */
  static boolean begin(SocketWrapperBase<NioChannel> wrapper, ConnectionLedger ledger) {
    CurrentWork work = CURRENT.get();
    if (work.wrapper == wrapper) {
      return false;
    }
    work.wrapper = wrapper;
    work.ledger = ledger;
    work.acceptTime = -1;
    return true;
  }

  static void parses(Request request) {
    CURRENT.get().request = request;
  }

  static void cameBy(long acceptTime) {
    CURRENT.get().acceptTime = acceptTime;
  }

  /**
   * Returns when the connection was accepted, if it is one of {@code ledger}, and that is known.
   */
  static long acceptTime(ConnectionLedger ledger) {
    CurrentWork work = CURRENT.get();
    return work.ledger == ledger ? work.acceptTime : -1;
  }

  static void end() {
    CurrentWork work = CURRENT.get();
    work.wrapper = null;
    work.ledger = null;
    work.request = null;
  }

  /** Returns the connection, if it is one of {@code ledger}. */
  static @Nullable SocketWrapperBase<NioChannel> on(ConnectionLedger ledger) {
    CurrentWork work = CURRENT.get();
    return work.ledger == ledger ? work.wrapper : null;
  }

  /** Whether the head that has just been parsed is known, and asks for no upgrade. */
  static boolean staysHttp() {
    Request known = CURRENT.get().request;
    return known != null && known.getHeader("Upgrade") == null;
  }

  /**
   * Returns the connection, which the thread upgrades.
   *
   * @throws IllegalStateException if the thread upgrades none: a request's handler may open a
   *     WebSocket as a client, say
   */
  static UpgradedConnection connection() {
    CurrentWork work = CURRENT.get();
    SocketWrapperBase<NioChannel> known = work.wrapper;
    if (known == null || work.ledger == null || !work.ledger.isUpgraded(known)) {
      throw new IllegalStateException("No connection is being upgraded on this thread");
    }
    return new TomcatConnection(known, work.ledger);
  }
}
