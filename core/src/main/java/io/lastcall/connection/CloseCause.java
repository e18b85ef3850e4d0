package io.lastcall.connection;

/** Why a long-lived connection ended. */
public enum CloseCause {
  /** By itself: its client, its application, the network. */
  ITSELF,
  /** It was told to, by the shutdown. */
  SHUTDOWN,
  /** Telling it failed. */
  FAILURE
}
