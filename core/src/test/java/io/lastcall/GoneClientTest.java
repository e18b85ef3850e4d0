package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.TestPermit;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A request whose client has closed its connection holds DRAIN for a second. */
@Timeout(120)
class GoneClientTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  private static final class Request extends TestPermit {
    volatile boolean gone;

    Request(String description) {
      super(description);
    }

    @Override
    protected boolean isClientGone() {
      return gone;
    }
  }

  private Request enter(String description) {
    Request request = new Request(description);
    assertTrue(harness.shutdown().gate().enter(request));
    return request;
  }

  private void terminate() {
    Harness.join(harness.jvm.raise("TERM"));
  }

  private void install() {
    FakeServer server = new FakeServer("web", harness);
    server.connections.add(harness.toldMore("a"));
    server.connectionsEnded.complete(null);
    harness.builder().server(server).propagationDelay(Duration.ZERO);
    harness.install();
  }

  @Test
  void drain_clientsAreGone_endsAfterASecondCleanAndSaysSo() {
    install();
    enter("GET /block").gone = true;
    enter("GET /block").gone = true;
    terminate();
    harness.pass(500);
    harness.pass(1_000);
    harness.awaitSequenceUntil(1_500);
    harness.ticker.advanceTo(Duration.ofMillis(1_500));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(2, harness.report().requests().abandonedByClients());
    assertEquals(0, harness.report().requests().abandoned());
    assertEquals(0, harness.report().requests().served());
    log.assertLogged("DRAIN goes on without 2 requests, abandoned by their clients: GET /block");
    assertTrue(
        harness.report().summary().contains("abandoned 0, 2 abandoned by their clients since"),
        () -> harness.report().summary());
  }

  /** One look that finds it is no proof, where the adapter may err. */
  @Test
  void drain_clientIsSeenAgain_isWaitedFor() {
    install();
    Request request = enter("GET /slow");
    request.gone = true;
    terminate();
    harness.pass(500);
    harness.pass(1_000);
    harness.awaitSequenceUntil(1_500);
    request.gone = false;
    harness.pass(1_500);
    harness.awaitSequenceUntil(2_000);
    request.gone = true;
    harness.pass(2_000);
    harness.awaitSequenceUntil(2_500);
    request.release();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(0, harness.report().requests().abandonedByClients());
    assertEquals(1, harness.report().requests().served());
  }
}
