package io.lastcall.grpc;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.lastcall.connection.Connections;
import io.lastcall.inflight.AcceptedConnection;
import io.lastcall.inflight.RequestGate;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Refuses the calls that the gate has not admitted, and tells calls in flight from those that have
 * no end: calls whose server sends a stream, where neither a deadline of the client nor the
 * application says that they end. These are ended, paced, in CLOSE_CONNECTIONS; the drain does not
 * wait for them. Thread-safe.
 */
final class CallInterceptor extends ServerTransportFilter implements ServerInterceptor {
  /** The call's connection as the gate knows it. */
  private static final Attributes.Key<AcceptedConnection> CONNECTION =
      Attributes.Key.create("lastcall-connection");

  private final RequestGate gate;
  private final Connections connections;
  private final Set<String> finite;

  /**
   * @param finite the full names of methods whose streams end by themselves
   */
  CallInterceptor(RequestGate gate, Connections connections, Set<String> finite) {
    this.gate = gate;
    this.connections = connections;
    this.finite = finite;
  }

  @Override
  public Attributes transportReady(Attributes transport) {
    AcceptedConnection connection = gate.accepted(transport.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
    return transport.toBuilder().set(CONNECTION, connection).build();
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    EndableCall<ReqT, RespT> endable = new EndableCall<>(call);
    CountedCall counted = CountedCall.current();
    if (counted != null && !mayBegin(counted, endable)) {
      endable.end();
      return new ServerCall.Listener<>() {};
    }
    return call.getMethodDescriptor().getType().serverSendsOneMessage()
        ? next.startCall(endable, headers)
        : startStream(endable, headers, next, counted);
  }

  private boolean mayBegin(CountedCall counted, EndableCall<?, ?> call) {
    AcceptedConnection connection = call.getAttributes().get(CONNECTION);
    if (connection != null) {
      gate.cameBy(connection);
    }
    return counted.begin(call::end);
  }

  private <ReqT, RespT> ServerCall.Listener<ReqT> startStream(
      EndableCall<ReqT, RespT> call,
      Metadata headers,
      ServerCallHandler<ReqT, RespT> next,
      @Nullable CountedCall counted) {
    StreamingCall stream = new StreamingCall(connections, counted, call::end);
    if (Context.current().getDeadline() == null
        && !finite.contains(call.getMethodDescriptor().getFullMethodName())) {
      stream.becomeLongLived();
    }
    try {
      Context context = stream.ending().in(Context.current());
      return new Closing<>(Contexts.interceptCall(context, call, headers, next), stream::closed);
    } catch (Throwable t) {
      // gRPC closes the call, and does not notify its listener.
      stream.closed();
      throw t;
    }
  }

  /** Is notified of the end of a call: by one of the two, once. */
  private static final class Closing<ReqT> extends SimpleForwardingServerCallListener<ReqT> {
    private final Runnable closed;

    Closing(ServerCall.Listener<ReqT> listener, Runnable closed) {
      super(listener);
      this.closed = closed;
    }

    @Override
    public void onComplete() {
      closed.run();
      super.onComplete();
    }

    @Override
    public void onCancel() {
      closed.run();
      super.onCancel();
    }
  }
}
