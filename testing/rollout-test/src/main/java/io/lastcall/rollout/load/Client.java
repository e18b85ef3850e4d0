package io.lastcall.rollout.load;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.IntFunction;

/** The clients of one node. Thread-safe. */
public interface Client extends AutoCloseable {

  /**
   * Makes the clients of one node, by the protocol of the settings.
   *
   * @param view where new connections go
   * @param threads for those that read
   */
  static Client of(
      LoadSettings settings,
      View view,
      IntFunction<InetSocketAddress> addressOfPod,
      ExecutorService threads) {
    return settings.http2()
        ? new Http2Client(view, addressOfPod, settings, threads)
        : new Http1Client(
            view, new IdleConnections(settings.idlePerNode()), addressOfPod, settings);
  }

  /** Makes the request, or the pair of requests, of one arrival. */
  List<Exchange> call(Arrival arrival, long planned);

  /** Closes what the server has ended, as a pool does that watches its connections. */
  void closeEnded();

  @Override
  void close();
}
