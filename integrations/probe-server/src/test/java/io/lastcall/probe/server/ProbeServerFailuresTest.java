package io.lastcall.probe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.probe.Probes;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.Threads;
import io.lastcall.testing.FixedProbes;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the server does when the JVM fails it. */
@Timeout(120)
class ProbeServerFailuresTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();

  private final Set<Thread> before = Threads.alive();
  private final Probes probes = FixedProbes.of(() -> true, () -> true);
  private RawClient client;
  private ProbeServer server;

  @BeforeEach
  void start() throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open().bind(new InetSocketAddress(0));
    client = new RawClient(listener.socket().getLocalPort());
    server = ProbeServer.start(probes, listener, new FailingSelector(), Duration.ofSeconds(1));
  }

  @AfterEach
  void end() throws IOException {
    client.close();
    server.close();
  }

  private boolean isPausing() {
    return Threads.alive().stream()
        .filter(thread -> !before.contains(thread))
        .filter(thread -> thread.getName().equals("lastcall-probes"))
        .anyMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void accept_errorBehindIt_leavesNoConnectionOpen() throws IOException {
    assertEquals("", client.rest());
  }

  @Test
  void select_keepsFailing_pausesInsteadOfSpinning() {
    log.awaitLogged("select fails");
    Awaitility.await().until(this::isPausing);
  }
}
