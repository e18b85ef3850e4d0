package io.lastcall.agent.server;

import com.linecorp.armeria.common.logging.RequestLog;
import com.linecorp.armeria.server.Server;
import io.lastcall.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The stop of Armeria's servers, which closes every connection, and the requests that this cuts.
 * Thread-safe.
 */
final class ArmeriaStop {
  private static final Duration LOOK = Duration.ofMillis(20);

  private final Set<Server> stopping = ConcurrentHashMap.newKeySet();
  private final AtomicInteger cut = new AtomicInteger();

  /**
   * Begins it and waits until connections are closed, after the quiet period that the application
   * has set: until then requests are served, and then the gate refuses them. Not for the stop's
   * end, which waits two seconds for threads.
   */
  void run(Server server, Deadline deadline) {
    stopping.add(server);
    var unused = server.stop();
    // Ends before the step's deadline, at which it would count as hanging.
    Deadline end = deadline.atMost(deadline.remaining().multipliedBy(3).dividedBy(4));
    while (server.numConnections() > 0 && !end.hasPassed()) {
      end.atMost(LOOK).awaitPassed(this); // Armeria notifies nobody of it
    }
  }

  /** Call before the request's permit is released. */
  void ended(Server server, RequestLog log) {
    if (log.responseCause() != null && stopping.contains(server)) {
      cut.incrementAndGet();
    }
  }

  /**
   * Call in EXIT.
   *
   * @throws IOException if requests were cut
   */
  void refuseToCut() throws IOException {
    int requests = cut.get();
    if (requests > 0) {
      throw new IOException(requests + " of its requests failed as Armeria closed its connections");
    }
  }
}
