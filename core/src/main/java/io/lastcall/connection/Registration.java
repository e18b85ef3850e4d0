package io.lastcall.connection;

import java.util.concurrent.atomic.AtomicBoolean;

/** A connection's place in {@link Connections}. Thread-safe. */
public final class Registration {
  private final Connections owner;
  private final LongLivedConnection connection;
  private final AtomicBoolean told = new AtomicBoolean();

  Registration(Connections owner, LongLivedConnection connection) {
    this.owner = owner;
    this.connection = connection;
  }

  /** Says that the connection is gone. Only the first call counts. */
  public void closed() {
    owner.deregister(this);
  }

  LongLivedConnection connection() {
    return connection;
  }

  boolean wasTold() {
    return told.get();
  }

  boolean tellOnce() {
    return told.compareAndSet(false, true);
  }
}
