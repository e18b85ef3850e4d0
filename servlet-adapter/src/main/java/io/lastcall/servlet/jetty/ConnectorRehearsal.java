package io.lastcall.servlet.jetty;

import io.lastcall.connection.FirstRequest;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;

/**
 * The end of a connector that serves nobody, so that the JVM has loaded and linked what the real
 * end needs. It listens on a port of the loopback interface that the kernel picks, for a few
 * milliseconds, and has one connection: our own.
 */
final class ConnectorRehearsal {
  private static final String NAME = "lastcall-rehearsal";
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** An acceptor, a selector, and what Jetty keeps in reserve for them. */
  private static final int THREADS = 6;

  private ConnectorRehearsal() {}

  /**
   * Runs it.
   *
   * @throws Exception what Jetty throws where it cannot listen
   */
  static void run() throws Exception {
    QueuedThreadPool pool = new QueuedThreadPool(THREADS, 1);
    pool.setName(NAME);
    pool.setDaemon(true);
    pool.setStopTimeout(TIMEOUT.toMillis());
    ScheduledExecutorScheduler scheduler = new ScheduledExecutorScheduler(NAME, true);
    LastcallConnector connector =
        new LastcallConnector(
            new Server(pool),
            pool,
            scheduler,
            1,
            FirstRequest::overdue,
            new HttpConnectionFactory());
    connector.setName(NAME);
    connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
    pool.start();
    try {
      connector.start();
      end(connector);
    } finally {
      pool.stop();
    }
  }

  private static void end(LastcallConnector connector) throws Exception {
    try (SocketChannel client =
        SocketChannel.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), connector.getLocalPort()))) {
      connector.acceptQueuedThenClose(Deadline.after(TIMEOUT, Ticker.system()));
      connector.ledger().settle(connector.endPoints());
      client.shutdownOutput();
    } finally {
      connector.stop();
    }
  }
}
