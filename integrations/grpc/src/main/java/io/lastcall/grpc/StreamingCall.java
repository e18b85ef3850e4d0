package io.lastcall.grpc;

import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A call whose server sends a stream: in flight until it is known to have no end, and long-lived
 * from then on. Thread-safe.
 */
final class StreamingCall implements LongLivedConnection {
  private final Connections connections;
  private final @Nullable CountedCall counted;
  private final CallEnding ending;
  private final AtomicBoolean longLived = new AtomicBoolean();

  /** Written before {@link #closed} is read, and read after that is written. */
  private volatile @Nullable Registration registration;

  private volatile boolean closed;

  /**
   * @param counted null if the call is not counted
   * @param end closes the call
   */
  StreamingCall(Connections connections, @Nullable CountedCall counted, Runnable end) {
    this.connections = connections;
    this.counted = counted;
    this.ending = new CallEnding(end, this::becomeLongLived);
  }

  CallEnding ending() {
    return ending;
  }

  /** DRAIN does not wait for it any more; it is told to end in CLOSE_CONNECTIONS. */
  void becomeLongLived() {
    if (!longLived.compareAndSet(false, true)) {
      return;
    }
    Registration registered = connections.register(this);
    registration = registered;
    if (counted != null) {
      // After the registration: at no time does the shutdown know nothing of the call.
      counted.release();
    }
    if (closed) {
      registered.closed();
    }
  }

  /** The call is over, whoever has ended it. */
  void closed() {
    closed = true;
    Registration known = registration;
    if (known != null) {
      known.closed();
    }
  }

  @Override
  public String kind() {
    return "grpc-stream";
  }

  @Override
  public void close() {
    ending.run();
  }
}
