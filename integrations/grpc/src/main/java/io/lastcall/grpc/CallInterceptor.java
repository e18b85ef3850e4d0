package io.lastcall.grpc;

import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.lastcall.connection.Connections;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.RequestGate;
import org.jspecify.annotations.Nullable;

/**
 * Refuses the calls that the gate has not admitted, and tells calls in flight from those that last
 * until one of their sides ends them: calls whose server sends a stream. These are ended, paced, in
 * CLOSE_CONNECTIONS; the drain does not wait for them. Thread-safe.
 */
final class CallInterceptor extends ServerTransportFilter implements ServerInterceptor {
  /** When the call's connection was opened, for one that was opened during the shutdown. */
  private static final Attributes.Key<Long> OPENED = Attributes.Key.create("lastcall-opened");

  private final RequestGate gate;
  private final Connections connections;

  CallInterceptor(RequestGate gate, Connections connections) {
    this.gate = gate;
    this.connections = connections;
  }

  @Override
  public Attributes transportReady(Attributes transport) {
    return gate.isEnding()
        ? transport.toBuilder().set(OPENED, gate.acceptTime()).build()
        : transport;
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
        : startLongLived(endable, headers, next, counted);
  }

  private boolean mayBegin(CountedCall counted, EndableCall<?, ?> call) {
    Long opened = call.getAttributes().get(OPENED);
    if (opened != null) {
      gate.cameBy(opened);
    }
    return counted.begin(call::end);
  }

  private <ReqT, RespT> ServerCall.Listener<ReqT> startLongLived(
      EndableCall<ReqT, RespT> call,
      Metadata headers,
      ServerCallHandler<ReqT, RespT> next,
      @Nullable CountedCall counted) {
    CallEnding ending = new CallEnding(call::end);
    Runnable closed = connections.register(new Stream(ending))::closed;
    if (counted != null) {
      // After the registration: at no time does the shutdown know nothing of the call.
      counted.release();
    }
    try {
      Context context = ending.in(Context.current());
      return new Closing<>(Contexts.interceptCall(context, call, headers, next), closed);
    } catch (Throwable t) {
      // gRPC closes the call, and does not notify its listener.
      closed.run();
      throw t;
    }
  }

  private record Stream(CallEnding ending) implements LongLivedConnection {
    @Override
    public String kind() {
      return "grpc-stream";
    }

    @Override
    public void close() {
      ending.run();
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
