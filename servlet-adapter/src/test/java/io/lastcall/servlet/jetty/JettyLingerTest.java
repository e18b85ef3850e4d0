package io.lastcall.servlet.jetty;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spi.Linger;
import io.lastcall.testing.RawClient;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Jetty closes while the server leaves; no time passes but what a test lets pass. */
@Timeout(120)
class JettyLingerTest {
  private final ManualScheduler scheduler = new ManualScheduler();
  private final JettyFixture jetty = new JettyFixture();
  private RawClient client;
  private DrainingEndPoint endPoint;

  @BeforeEach
  void connect() throws Exception {
    jetty.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    LastcallConnector connector =
        new LastcallConnector(jetty.jetty, null, scheduler, 1, new HttpConnectionFactory());
    connector.setHost("127.0.0.1");
    connector.serve(jetty.control.gate(), false);
    jetty.jetty.addConnector(connector);
    jetty.start();
    client = new RawClient(connector.getLocalPort());
    client.exchange("/plain");
    endPoint = connector.endPoints().iterator().next();
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    jetty.close();
  }

  private Future<?> closeWhileLeaving() throws Exception {
    jetty.leave();
    endPoint.close();
    assertTrue(client.ended());
    assertFalse(endPoint.isOpen(), "for Jetty");
    return endPoint.ended().toCompletableFuture();
  }

  @Test
  void close_clientClosesToo_isOverThen() throws Exception {
    Future<?> ended = closeWhileLeaving();
    assertFalse(ended.isDone());
    client.close();
    ended.get();
    assertFalse(endPoint.getChannel().isOpen());
  }

  @Test
  void close_clientStaysOpen_isAwaitedForLessLongThanItIsReadOn() throws Exception {
    Future<?> ended = closeWhileLeaving();
    assertFalse(ended.isDone());
    scheduler.passes(Linger.AWAITED);
    assertTrue(ended.isDone());
    assertTrue(endPoint.getChannel().isOpen(), "the client may still send");
    scheduler.passes(Linger.LIMIT);
    assertFalse(endPoint.getChannel().isOpen());
  }

  private static final class ManualScheduler extends AbstractLifeCycle implements Scheduler {
    private record Planned(Duration delay, Runnable task) {}

    private final Queue<Planned> planned = new ConcurrentLinkedQueue<>();

    @Override
    public Task schedule(Runnable task, long delay, TimeUnit unit) {
      Planned added = new Planned(Duration.of(delay, unit.toChronoUnit()), task);
      planned.add(added);
      return () -> planned.remove(added);
    }

    /** Runs what was to run behind {@code time}. */
    void passes(Duration time) {
      planned.stream().filter(each -> each.delay().equals(time)).forEach(each -> each.task().run());
    }
  }
}
