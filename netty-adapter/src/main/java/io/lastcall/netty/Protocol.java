package io.lastcall.netty;

/**
 * The view that an HTTP handler has of its connection. Public for Lastcall's own adapters alone, as
 * {@link ProtocolConnection} is. Event loop only.
 */
public interface Protocol {

  /** Asks the client to leave, where the protocol has words for it. */
  default void announceClose() {}

  /** Returns whether {@link #announceClose} asks the client to leave by itself, as HTTP/2 does. */
  default boolean isMultiplexed() {
    return false;
  }

  /** Answers what is running and has no response yet: the drain waits no longer. */
  void forceClose();

  /** Returns whether a request is running, or being received. */
  boolean isBusy();

  /** Returns whether the connection has carried no request yet. */
  default boolean isUnused() {
    return false;
  }

  /** Returns whether the last thing read was the first part of a request's head. */
  default boolean hasPartOfRequest() {
    return false;
  }

  /** Ends the connection, which is idle. */
  void end();
}
