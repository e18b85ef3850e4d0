package io.lastcall.grpc;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import io.lastcall.inflight.Permit;
import io.lastcall.inflight.RequestGate;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A call's stay in the gate. It enters on the event loop, when its headers arrive: an interceptor
 * runs on the server's executor, and would miss the calls that wait in that executor's queue. It
 * leaves when gRPC has handed the status to the transport, when the stream was cancelled, and when
 * the connection is lost; but not where the server's executor has rejected the call.
 */
final class CountedCall extends ServerStreamTracer {
  private static final Context.Key<CountedCall> KEY = Context.key("lastcall-call");
  private static final ServerStreamTracer NOT_COUNTED = new ServerStreamTracer() {};

  private final CallPermit permit;
  private final boolean admitted;

  private CountedCall(RequestGate gate, String method) {
    permit = new CallPermit(method);
    admitted = gate.enter(permit);
  }

  /** Returns what counts the calls of a server, those of the health service excluded. */
  static Factory factory(RequestGate gate) {
    return new Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        if (HealthService.isHealth(method)) {
          gate.probed();
          return NOT_COUNTED;
        }
        return new CountedCall(gate, method);
      }
    };
  }

  /** Returns that of the call in the current context; null if the call is not counted. */
  static @Nullable CountedCall current() {
    return KEY.get();
  }

  /**
   * Says how the call is ended if DRAIN times out with it.
   *
   * @return false if the call is refused, or DRAIN has timed out already
   */
  boolean begin(Runnable end) {
    permit.end = end;
    return admitted && !permit.givenUp;
  }

  /** Says that the call is long-lived: DRAIN does not wait for it any more. */
  void release() {
    permit.release();
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(KEY, this);
  }

  @Override
  public void streamClosed(Status status) {
    permit.release();
  }

  private static final class CallPermit extends Permit {
    private final String method;
    private final long began = System.nanoTime();

    /** Written before {@link #givenUp} is read, and read after that is written. */
    private volatile @Nullable Runnable end;

    private volatile boolean givenUp;

    CallPermit(String method) {
      this.method = method;
    }

    @Override
    protected String description() {
      return method;
    }

    @Override
    protected Optional<Duration> age() {
      return Optional.of(Duration.ofNanos(System.nanoTime() - began));
    }

    @Override
    protected boolean giveUp() {
      givenUp = true;
      Runnable known = end;
      if (known != null) {
        known.run();
      }
      return known != null;
    }
  }
}
