package io.lastcall.examples.grpc;

import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.lastcall.connection.Connections;
import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.RequestGate;
import io.netty.channel.Channel;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what the gate has not admitted, and tells apart what is in flight from what lasts until
 * somebody ends it: calls whose server sends a stream. Those are told to end, paced, when
 * long-lived connections are; the drain does not wait for them. Thread-safe.
 */
final class CallInterceptor implements ServerInterceptor {
  private static final String KIND = "grpc-stream";

  private final RequestGate gate;
  private final Connections connections;

  /** When the clients' connections were accepted, by their addresses; those since the trigger. */
  private final Map<SocketAddress, Long> acceptTimes = new ConcurrentHashMap<>();

  private final Set<EndableCall<?, ?>> inFlight = ConcurrentHashMap.newKeySet();

  CallInterceptor(RequestGate gate, Connections connections) {
    this.gate = gate;
    this.connections = connections;
  }

  /** A connection has just been accepted. */
  void accepted(Channel channel) {
    SocketAddress client = channel.remoteAddress();
    if (gate.isEnding() && client != null) {
      acceptTimes.put(client, gate.acceptTime());
      channel.closeFuture().addListener(closed -> acceptTimes.remove(client));
    }
  }

  @Override
  public <ReqT, RespT> ServerCall.Listener<ReqT> interceptCall(
      ServerCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    Arrival arrival = Arrival.current();
    if (arrival != null && !acceptTimes.isEmpty()) {
      SocketAddress client = call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
      gate.cameBy(client == null ? -1 : acceptTimes.getOrDefault(client, -1L));
    }
    EndableCall<ReqT, RespT> endable = new EndableCall<>(call);
    if (arrival != null && !arrival.isAdmitted()) {
      endable.end();
      return new ServerCall.Listener<>() {};
    }
    if (call.getMethodDescriptor().getType().serverSendsOneMessage()) {
      return inFlight(endable, headers, next);
    }
    return longLived(endable, headers, next, arrival);
  }

  private <ReqT, RespT> ServerCall.Listener<ReqT> inFlight(
      EndableCall<ReqT, RespT> call, Metadata headers, ServerCallHandler<ReqT, RespT> next) {
    inFlight.add(call);
    Runnable gone = () -> inFlight.remove(call);
    return started(call, headers, next, Context.current(), gone);
  }

  private <ReqT, RespT> ServerCall.Listener<ReqT> longLived(
      EndableCall<ReqT, RespT> call,
      Metadata headers,
      ServerCallHandler<ReqT, RespT> next,
      @Nullable Arrival arrival) {
    CallEnding ending = new CallEnding(call::end);
    Registration registration = connections.register(new Stream(ending));
    if (arrival != null) {
      // Behind the registration: at no time does the shutdown know nothing of the call.
      arrival.release();
    }
    return started(call, headers, next, ending.in(Context.current()), registration::closed);
  }

  private static <ReqT, RespT> ServerCall.Listener<ReqT> started(
      EndableCall<ReqT, RespT> call,
      Metadata headers,
      ServerCallHandler<ReqT, RespT> next,
      Context context,
      Runnable gone) {
    try {
      return new Closing<>(Contexts.interceptCall(context, call, headers, next), gone);
    } catch (Throwable t) {
      // gRPC closes the call, and its listener hears nothing of it.
      gone.run();
      throw t;
    }
  }

  /**
   * Closes the calls that are still in flight: the drain has timed out. Called for each connection,
   * so they are forgotten then.
   */
  void giveUp() {
    for (var calls = inFlight.iterator(); calls.hasNext(); calls.remove()) {
      calls.next().end();
    }
  }

  private record Stream(CallEnding ending) implements LongLivedConnection {
    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public void close() {
      ending.tell();
    }
  }

  /** Hears of the end of a call: one of the two, once. */
  private static final class Closing<ReqT> extends SimpleForwardingServerCallListener<ReqT> {
    private final Runnable gone;

    Closing(ServerCall.Listener<ReqT> listener, Runnable gone) {
      super(listener);
      this.gone = gone;
    }

    @Override
    public void onComplete() {
      gone.run();
      super.onComplete();
    }

    @Override
    public void onCancel() {
      gone.run();
      super.onCancel();
    }
  }
}
