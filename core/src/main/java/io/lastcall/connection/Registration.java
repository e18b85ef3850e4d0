package io.lastcall.connection;

import java.util.concurrent.atomic.AtomicBoolean;

/** A connection's place in {@link Connections}. Thread-safe. */
public final class Registration {
  private final Connections owner;
  private final LongLivedConnection connection;
  private final String kind;
  private final AtomicBoolean told = new AtomicBoolean();

  Registration(Connections owner, LongLivedConnection connection, String kind) {
    this.owner = owner;
    this.connection = connection;
    this.kind = kind;
  }

  /** Says that the connection is gone. Only the first call counts. */
  public void closed() {
    owner.deregister(this);
  }

  LongLivedConnection connection() {
    return connection;
  }

  /** As it was when it registered: the connection is not asked again, it may fail to say. */
  String kind() {
    return kind;
  }

  boolean wasTold() {
    return told.get();
  }

  boolean tellOnce() {
    return told.compareAndSet(false, true);
  }
}
