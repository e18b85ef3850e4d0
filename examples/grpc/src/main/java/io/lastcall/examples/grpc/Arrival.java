package io.lastcall.examples.grpc;

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
 * A call's stay in the gate. It enters where its headers arrive, on the event loop: an interceptor
 * runs behind the executor's queue, and a call in that queue would be seen by nobody. It leaves
 * when gRPC has handed the status to the transport, or the stream was cancelled, or with its
 * connection; but not where the server's executor has rejected the call.
 */
final class Arrival extends ServerStreamTracer {
  private static final Context.Key<Arrival> KEY = Context.key("lastcall-arrival");
  private static final ServerStreamTracer NOT_COUNTED = new ServerStreamTracer() {};

  private final CallPermit permit;
  private final boolean admitted;

  private Arrival(RequestGate gate, String method) {
    permit = new CallPermit(method);
    admitted = gate.enter(permit);
  }

  /** Returns what counts the calls of a server, but those of the health service. */
  static Factory factory(RequestGate gate) {
    return new Factory() {
      @Override
      public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
        if (ReadinessHealth.isHealth(method)) {
          gate.probed();
          return NOT_COUNTED;
        }
        return new Arrival(gate, method);
      }
    };
  }

  /** Returns that of the call in the current context; null if it is not counted. */
  static @Nullable Arrival current() {
    return KEY.get();
  }

  boolean isAdmitted() {
    return admitted;
  }

  /** The call is long-lived: it does not hold the drain any more. */
  void release() {
    permit.release();
  }

  @Override
  public Context filterContext(Context context) {
    return context.withValue(KEY, this);
  }

  @Override
  public void streamClosed(Status status) {
    release();
  }

  /** For the report: what is in flight, and since when. */
  private static final class CallPermit extends Permit {
    private final String method;
    private final long began = System.nanoTime();

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
  }
}
