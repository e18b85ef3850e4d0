package io.lastcall.servlet.undertow;

import io.lastcall.connection.FirstRequest;
import io.lastcall.inflight.RequestGate;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import io.undertow.server.HttpServerExchange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.xnio.OptionMap;
import org.xnio.Options;
import org.xnio.Xnio;
import org.xnio.XnioWorker;

/**
 * The end of a server that serves nobody, so that the JVM has loaded and linked what the real end
 * needs. It listens on a port of the loopback interface that the kernel picks, for a few
 * milliseconds, and has one connection: our own, with one request. Undertow's first answer in a
 * process loads the names of all time zones for its date, and what is answered when DRAIN times out
 * may be the first.
 */
final class ServerRehearsal {
  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: lastcall-rehearsal\r\n\r\n";

  private ServerRehearsal() {}

  /**
   * Runs it.
   *
   * @throws Exception what XNIO throws where it cannot listen, or that it has not answered in time
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
      SocketChannel client =
          SocketChannel.open(server.listen(loopback, HttpServerExchange::endExchange));
      try {
        client.write(StandardCharsets.US_ASCII.encode(REQUEST));
        server.stopListening(deadline);
        server
            .connectionsEnded()
            .toCompletableFuture()
            .get(deadline.remaining().toMillis(), TimeUnit.MILLISECONDS);
      } finally {
        client.close();
      }
    } finally {
      server.stop(deadline);
    }
  }
}
