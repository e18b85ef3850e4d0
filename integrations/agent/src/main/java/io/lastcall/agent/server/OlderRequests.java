package io.lastcall.agent.server;

/** What requests of an older Servlet API lack. */
public final class OlderRequests {
  private OlderRequests() {}

  /**
   * Returns an id of a request. A container uses one object for every request of a connection, so
   * that these have one lot: a connection leaves early or late as a whole.
   */
  public static String id(Object request) {
    return Integer.toHexString(System.identityHashCode(request));
  }
}
