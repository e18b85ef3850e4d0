package io.lastcall.servlet.undertow;

import io.lastcall.connection.FirstRequest;
import io.lastcall.inflight.RequestGate;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/**
 * The end of a server that serves nobody, so that the JVM has loaded and linked what the real end
 * needs. It listens on a port of the loopback interface that the kernel picks, for a few
 * milliseconds, and has one connection: our own.
 */
final class ServerRehearsal {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private ServerRehearsal() {}

  /**
   * Runs it.
   *
   * @throws Exception what XNIO throws where it cannot listen
   */
  static void run(Xnio xnio, RequestGate gate) throws Exception {
    XnioWorker worker =
        xnio.createWorker(
            OptionMap.builder()
                .set(Options.WORKER_NAME, "lastcall-rehearsal")
                .set(Options.WORKER_IO_THREADS, 1)
                .set(Options.WORKER_TASK_MAX_THREADS, 1)
                .set(Options.THREAD_DAEMON, true)
                .getMap());
    UndertowServer server =
        new UndertowServer(worker, gate, OptionMap.EMPTY, FirstRequest::overdue);
    Deadline deadline = Deadline.after(TIMEOUT, Ticker.system());
    try {
      InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
      SocketChannel client = SocketChannel.open(server.listen(loopback, exchange -> {}));
      try {
        server.stopListening(deadline);
        server.connectionsEnded();
      } finally {
        client.close();
      }
    } finally {
      server.stop(deadline);
    }
  }
}
