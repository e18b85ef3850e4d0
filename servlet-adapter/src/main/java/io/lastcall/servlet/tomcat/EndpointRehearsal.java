package io.lastcall.servlet.tomcat;

import io.lastcall.connection.FirstRequest;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/**
 * The end of an endpoint that serves nobody, so that the JVM has loaded and linked what the real
 * end needs. It listens on a port of the loopback interface that the kernel picks, for a few
 * milliseconds, and has one connection: our own.
 */
final class EndpointRehearsal {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private EndpointRehearsal() {}

  /**
   * Runs it.
   *
   * @throws Exception what Tomcat throws where it cannot listen
   */
  static void run() throws Exception {
    DrainingEndpoint endpoint = new LastcallProtocol(FirstRequest::overdue).endpoint();
    endpoint.setName("lastcall-rehearsal");
    endpoint.setAddress(InetAddress.getLoopbackAddress());
    endpoint.setPort(0);
    endpoint.setMinSpareThreads(1);
    endpoint.setExecutorTerminationTimeoutMillis(0);
    // Closed last, and without a byte: a worker that reads has no adapter to hand a request to.
    try (SocketChannel client = SocketChannel.open()) {
      end(endpoint, client);
    }
  }

  private static void end(DrainingEndpoint endpoint, SocketChannel client) throws Exception {
    try {
      endpoint.init();
      endpoint.start();
      client.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.getLocalPort()));
      endpoint.acceptQueuedThenClose(Deadline.after(TIMEOUT, Ticker.system()));
      endpoint.ledger().settle(endpoint.getConnections());
    } finally {
      endpoint.stop();
      endpoint.destroy();
    }
  }
}
