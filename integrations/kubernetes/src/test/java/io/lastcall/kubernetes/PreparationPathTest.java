package io.lastcall.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.GracefulShutdown;
import io.lastcall.testing.FreePort;
import io.lastcall.testing.RawClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Found by core, asked on the probes' own port. */
@Timeout(120)
class PreparationPathTest {
  private static final String TOKEN = "0123456789abcdef";

  private static RawClient.Reply post(int port, String token) throws Exception {
    try (RawClient client = new RawClient(port)) {
      return client
          .send("POST /prepare HTTP/1.1\r\nHost: pod\r\nX-Lastcall-Token: " + token + "\r\n\r\n")
          .readHead();
    }
  }

  @Test
  void prepare_onTheProbesPort_opensByTheTokenAlone() throws Exception {
    int port = FreePort.next();
    GracefulShutdown shutdown =
        GracefulShutdown.builder()
            .configuration("probe-port", Integer.toString(port), "test")
            .configuration("pre-stop-token", TOKEN, "test")
            .install();
    FakeMember member = new FakeMember();
    Preparation.register(shutdown, "shards", member);
    assertEquals(403, post(port, "another").status());
    assertEquals(0, member.asked);
    assertEquals(202, post(port, TOKEN).status());
    assertEquals(1, member.asked);
    assertFalse(shutdown.probes().isProbe("/prepare"), "the service's own path on its own port");
    shutdown.uninstall();
    Awaitility.await().until(member::isServing);
  }

  @Test
  void register_disabled_isAcceptedAndNeverAsked() {
    FakeMember member = new FakeMember();
    Preparation.register(GracefulShutdown.disabled(), "shards", member).remove();
    assertEquals(0, member.asked);
  }
}
