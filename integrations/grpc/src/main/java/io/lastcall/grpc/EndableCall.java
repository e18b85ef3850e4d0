package io.lastcall.grpc;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;

/**
 * A call that a thread of the library may close: gRPC's own is not thread-safe, and throws where
 * something is sent after its end. Here that is dropped. Nothing but gRPC runs under the lock, and
 * nothing there blocks.
 */
final class EndableCall<ReqT, RespT> extends SimpleForwardingServerCall<ReqT, RespT> {
  /** The status of a call that is refused or ended at a shutdown; clients may try it elsewhere. */
  static final Status LEAVING = Status.UNAVAILABLE.withDescription("the server is shutting down");

  private boolean closed;
  private volatile boolean ended;

  EndableCall(ServerCall<ReqT, RespT> call) {
    super(call);
  }

  /** Closes the call, unless the application has. */
  synchronized void end() {
    ended = true;
    if (!closed) {
      closed = true;
      super.close(LEAVING, new Metadata());
    }
  }

  @Override
  public synchronized void sendHeaders(Metadata headers) {
    if (!closed) {
      super.sendHeaders(headers);
    }
  }

  @Override
  public synchronized void sendMessage(RespT message) {
    if (!closed) {
      super.sendMessage(message);
    }
  }

  @Override
  public synchronized void close(Status status, Metadata trailers) {
    if (!ended) {
      closed = true;
      super.close(status, trailers);
    }
  }

  /** So that loops of the application's end too. */
  @Override
  public boolean isCancelled() {
    return ended || super.isCancelled();
  }
}
