package io.lastcall.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.DrainableServer;
import io.lastcall.connection.HttpConnection;
import io.lastcall.process.CapturedLog;
import io.lastcall.time.Deadline;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server that answers what its interface does not allow. */
class GuardedServerTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();

  /** Of what a compiler without null checks lets through. */
  @SuppressWarnings("NullAway")
  private record Odd(
      @Nullable Collection<HttpConnection> listed, @Nullable CompletionStage<?> stage)
      implements DrainableServer {
    @Override
    public String name() {
      return "odd";
    }

    @Override
    public Collection<HttpConnection> connections() {
      return listed;
    }

    @Override
    public CompletionStage<?> connectionsEnded() {
      return stage;
    }

    @Override
    public void stopListening(Deadline deadline) {}

    @Override
    public void stop(Deadline deadline) {}
  }

  private static GuardedServer listing(@Nullable Collection<HttpConnection> connections) {
    return new GuardedServer(new Odd(connections, null));
  }

  private static final class ChangesMeanwhile extends AbstractList<HttpConnection> {
    @Override
    public HttpConnection get(int index) {
      throw new ConcurrentModificationException();
    }

    @Override
    public int size() {
      return 2;
    }
  }

  @Test
  void connections_notToBeWalked_areNone() {
    assertEquals(List.of(), listing(new ChangesMeanwhile()).connections());
    assertEquals(List.of(), listing(null).connections());
    assertEquals(List.of(), listing(Arrays.asList((HttpConnection) null)).connections());
    log.assertLogged("Could not list the connections of odd");
  }

  @Test
  void connections_askedManyTimes_isLoggedOnce() {
    GuardedServer server = listing(null);
    server.connections();
    String once = log.text();
    server.connections();
    assertEquals(once, log.text());
  }

  @Test
  void connections_areACopy() {
    List<HttpConnection> live = new ArrayList<>(List.of(() -> {}));
    List<HttpConnection> seen = listing(live).connections();
    live.clear();
    assertEquals(1, seen.size());
  }

  @Test
  void whenConnectionsEnded_noStage_isNotWaitedFor() {
    AtomicInteger ended = new AtomicInteger();
    listing(List.of()).whenConnectionsEnded(ended::incrementAndGet);
    assertEquals(1, ended.get());
    log.assertLogged("Could not await the connections of odd");
  }

  @Test
  void tell_connectionInterruptsItsTeller_theOthersAreToldInPeace() {
    List<Boolean> interrupted = new ArrayList<>();
    HttpConnection rude = () -> Thread.currentThread().interrupt();
    HttpConnection next = () -> interrupted.add(Thread.currentThread().isInterrupted());
    listing(List.of(rude, next, rude)).forEach(HttpConnection::closeIfIdle);
    assertEquals(List.of(false), interrupted);
    assertFalse(Thread.interrupted());
  }

  @Test
  void tell_connectionFails_theOthersAreTold() {
    List<String> told = new ArrayList<>();
    HttpConnection failing =
        () -> {
          throw new IllegalStateException("gone");
        };
    listing(List.of(failing, () -> told.add("next"))).forEach(HttpConnection::closeIfIdle);
    assertTrue(told.contains("next"), told::toString);
    log.assertLogged("Could not tell a connection of odd to leave");
  }
}
