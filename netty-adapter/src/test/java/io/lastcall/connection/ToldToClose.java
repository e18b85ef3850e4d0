package io.lastcall.connection;

import io.lastcall.connection.Connections.Registration;

/** The beginning of CLOSE_CONNECTIONS. */
public final class ToldToClose {
  private ToldToClose() {}

  /** Tells every connection to close, and forces none to. */
  public static void all(ConnectionControl control) {
    control.connections().startClosing(Thread.currentThread()).forEach(Registration::close);
  }
}
