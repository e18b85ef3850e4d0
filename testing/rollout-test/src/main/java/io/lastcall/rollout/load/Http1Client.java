package io.lastcall.rollout.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The clients of one node with HTTP/1.1. Fresh clients open a connection per request; keep-alive
 * clients share the node's idle ones, and close after {@code Connection: close}. A request that was
 * sent is never sent again, with one exception that RFC 9112 section 9.3.2 makes for clients that
 * pipeline: what stands behind a response that said close was never looked at.
 */
final class Http1Client implements Client {
  private final View view;
  private final IdleConnections idle;
  private final IntFunction<InetSocketAddress> addressOfPod;
  private final LoadSettings settings;

  Http1Client(
      View view,
      IdleConnections idle,
      IntFunction<InetSocketAddress> addressOfPod,
      LoadSettings settings) {
    this.view = view;
    this.idle = idle;
    this.addressOfPod = addressOfPod;
    this.settings = settings;
  }

  @Override
  public List<Exchange> call(Arrival arrival, long planned) {
    long started = System.nanoTime();
    Optional<HttpConnection> pooled = arrival.keepAlive() ? idle.take() : Optional.empty();
    Attempt attempt = new Attempt(arrival, planned, started, pooled.isPresent());
    int pod =
        pooled.isPresent() ? pooled.get().pod() : view.pick(arrival.choice(), System.nanoTime());
    long connecting = System.nanoTime();
    HttpConnection connection;
    try {
      connection =
          pooled.isPresent()
              ? pooled.get()
              : HttpConnection.open(pod, addressOfPod.apply(pod), settings);
    } catch (IOException e) {
      return List.of(attempt.unconnected(pod, connecting, e));
    }
    return arrival.request().pair()
        ? pair(attempt, connection)
        : List.of(single(attempt, connection));
  }

  private Exchange single(Attempt attempt, HttpConnection connection) {
    Request request = attempt.arrival().request();
    long sending = System.nanoTime();
    boolean whole = send(connection, request, false);
    long sent = Math.max(sending, connection.headSent());
    Reply reply = connection.receive();
    Exchange exchange = attempt.judged(connection.pod(), sent, request, reply);
    release(attempt, connection, whole && !exchange.close() && reply instanceof Reply.Complete);
    return exchange;
  }

  private List<Exchange> pair(Attempt attempt, HttpConnection connection) {
    Request request = attempt.arrival().request();
    long sent = System.nanoTime();
    boolean whole = send(connection, request, true);
    Exchange first = attempt.judged(connection.pod(), sent, request, connection.receive());
    if (first.close()) {
      connection.close();
      return List.of(first, again(attempt));
    }
    Reply reply = connection.receive();
    Exchange second = attempt.judged(connection.pod(), sent, request, reply);
    release(attempt, connection, whole && !second.close() && reply instanceof Reply.Complete);
    return List.of(first, second);
  }

  /**
   * The second of a pair whose first response said close: by RFC 9112 it goes to a new connection.
   */
  private Exchange again(Attempt attempt) {
    Arrival arrival = attempt.arrival();
    Arrival alone =
        new Arrival(
            arrival.offset(), arrival.node(), arrival.request().single(), true, arrival.choice());
    return call(alone, System.nanoTime()).get(0);
  }

  /** A failed write is no verdict: the server may have answered before it closed. */
  private static boolean send(HttpConnection connection, Request request, boolean pair) {
    try {
      return connection.send(request, pair);
    } catch (IOException e) {
      return false;
    }
  }

  private void release(Attempt attempt, HttpConnection connection, boolean reusable) {
    if (attempt.arrival().keepAlive() && reusable) {
      idle.give(connection);
    } else {
      connection.close();
    }
  }

  @Override
  public void closeEnded() {
    idle.closeEnded();
  }

  @Override
  public void close() {
    idle.close();
  }
}
