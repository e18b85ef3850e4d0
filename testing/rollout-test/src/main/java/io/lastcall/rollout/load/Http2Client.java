package io.lastcall.rollout.load;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The clients of one node with HTTP/2. They share a connection until the server tells it to go;
 * fresh clients open one per request. A request that was sent is never sent again, not even where a
 * GOAWAY allows it.
 */
final class Http2Client implements Client {
  private final View view;
  private final IntFunction<InetSocketAddress> addressOfPod;
  private final LoadSettings settings;
  private final ExecutorService threads;

  /** Guarded by this. */
  private @Nullable Http2ClientConnection shared;

  Http2Client(
      View view,
      IntFunction<InetSocketAddress> addressOfPod,
      LoadSettings settings,
      ExecutorService threads) {
    this.view = view;
    this.addressOfPod = addressOfPod;
    this.settings = settings;
    this.threads = threads;
  }

  /** A request whose head was sent. */
  private record Sent(
      Attempt attempt, Http2ClientConnection connection, Http2Stream stream, long time) {}

  @Override
  public List<Exchange> call(Arrival arrival, long planned) {
    long started = System.nanoTime();
    Request request = arrival.request();
    List<Sent> sent = new ArrayList<>();
    List<Exchange> exchanges = new ArrayList<>();
    for (int i = 0; i < (request.pair() ? 2 : 1); i++) {
      int pod = view.pick(arrival.choice(), System.nanoTime());
      long connecting = System.nanoTime();
      try {
        sent.add(send(arrival, planned, started, request, pod));
      } catch (IOException e) {
        Attempt attempt = new Attempt(arrival, planned, started, false);
        exchanges.add(attempt.unconnected(pod, connecting, e));
      }
    }
    for (Sent each : sent) {
      each.connection.sendBody(each.stream, request);
      Reply reply = await(each.stream);
      exchanges.add(each.attempt.judged(each.connection.pod(), each.time, request, reply));
      if (!arrival.keepAlive()) {
        each.connection.close();
      }
    }
    return exchanges;
  }

  /** Sends the head on the shared connection, or on one to this pod. */
  private Sent send(Arrival arrival, long planned, long started, Request request, int pod)
      throws IOException {
    while (true) {
      Http2ClientConnection connection;
      boolean reused = false;
      synchronized (this) {
        Http2ClientConnection known = arrival.keepAlive() ? shared : null;
        if (known != null && !known.isLeaving()) {
          connection = known;
          reused = true;
        } else {
          connection = Http2ClientConnection.open(pod, addressOfPod.apply(pod), settings, threads);
          if (arrival.keepAlive()) {
            shared = connection;
          }
        }
      }
      long time = System.nanoTime();
      Optional<Http2Stream> stream = connection.begin(request);
      if (stream.isPresent()) {
        Attempt attempt = new Attempt(arrival, planned, started, reused);
        return new Sent(attempt, connection, stream.get(), time);
      }
    }
  }

  private Reply await(Http2Stream stream) {
    try {
      // A stream lasts as long as it was asked to, and its bytes are not awaited one by one.
      long patience = 2 * settings.timeout().toMillis() + settings.longestAnswer().toMillis();
      return stream.reply().get(patience, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new Reply.Broken(Outcome.TIMEOUT, "no whole answer");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Reply.Broken(Outcome.TIMEOUT, "interrupted");
    }
  }

  /** Each connection's reader sees its end. */
  @Override
  public void closeEnded() {}

  @Override
  public synchronized void close() {
    Http2ClientConnection known = shared;
    if (known != null) {
      known.close();
    }
  }
}
