package io.lastcall.rollout.load;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A client that holds one WebSocket or event stream after the other: when the server ends one, it
 * connects again, as browsers do. HTTP/1.1. A daemon thread.
 */
final class LongLived implements AutoCloseable {
  /** Between an end and the next attempt. */
  private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(200);

  private static final Duration FOR_EVER = Duration.ofHours(1);

  private final int node;
  private final Request request;
  private final boolean webSocket;
  private final View view;
  private final IntFunction<InetSocketAddress> addressOfPod;
  private final LoadSettings settings;
  private final Queue<Exchange> exchanges;
  private final Random random;
  private final Thread thread = new Thread(this::run, "long-lived");
  private volatile boolean stopped;
  private volatile @Nullable HttpConnection open;

  LongLived(
      int node,
      Request request,
      boolean webSocket,
      View view,
      IntFunction<InetSocketAddress> addressOfPod,
      LoadSettings settings,
      Queue<Exchange> exchanges) {
    this.node = node;
    this.request = request;
    this.webSocket = webSocket;
    this.view = view;
    this.addressOfPod = addressOfPod;
    this.settings = new LoadSettings(false, settings.tls(), 0, false, FOR_EVER, FOR_EVER);
    this.exchanges = exchanges;
    random = new Random(node);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!stopped) {
      long begun = System.nanoTime();
      int pod = view.pick(random.nextDouble(), begun);
      Arrival arrival = new Arrival(0, node, request, false, 0);
      Attempt attempt = new Attempt(arrival, begun, begun, false);
      Exchange exchange = hold(attempt, pod, begun);
      if (!stopped) {
        exchanges.add(exchange);
        LockSupport.parkNanos(PAUSE);
      }
    }
  }

  private Exchange hold(Attempt attempt, int pod, long begun) {
    try (HttpConnection connection = HttpConnection.open(pod, addressOfPod.apply(pod), settings)) {
      open = connection;
      if (stopped) {
        return attempt.unconnected(pod, begun, new ConnectException("stopped"));
      }
      connection.send(request, false);
      Reply reply = webSocket ? connection.receiveWebSocket() : connection.receive();
      return attempt.judged(pod, begun, request, reply);
    } catch (IOException e) {
      return attempt.unconnected(pod, begun, e);
    } finally {
      open = null;
    }
  }

  /** Closes what is open, which is no failure of the server's. */
  @Override
  public void close() {
    stopped = true;
    HttpConnection connection = open;
    if (connection != null) {
      connection.close();
    }
    LockSupport.unpark(thread);
  }
}
