package io.lastcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests of Jetty's own handlers beside servlets, which no filter of Lastcall's sees. */
@Timeout(300)
class JettyHandlersTest {
  private static final int INCOMPLETE = 80;

  /** No delay: what it waits for, it waits for in DRAIN. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sigterm_requestOfAHandler_isAnsweredInDrain(boolean coarse) throws Exception {
    try (AgentJvm jvm = start(coarse, "30s")) {
      CompletableFuture<HttpResponse<String>> inFlight = jvm.get("/hold");
      jvm.awaitLine("holds");

      jvm.terminate();
      jvm.awaitLine("DRAIN has waited for");
      jvm.release();

      assertEquals("answered /hold", inFlight.join().body(), jvm::log);
      assertEquals(0, jvm.exitCode(), jvm::log);
      assertEquals(1, jvm.lines("Shutdown clean").size(), jvm::log);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sigterm_requestOfAHandlerThatOutlastsDrain_endsIncomplete(boolean coarse) throws Exception {
    try (AgentJvm jvm = start(coarse, "2s")) {
      CompletableFuture<HttpResponse<String>> inFlight = jvm.get("/hold");
      jvm.awaitLine("holds");

      jvm.terminate();

      assertThrows(CompletionException.class, inFlight::join);
      assertEquals(INCOMPLETE, jvm.exitCode(), jvm::log);
      assertTrue(jvm.hasLogged("some responses are not sent yet"), jvm::log);
    }
  }

  private static AgentJvm start(boolean coarse, String drainTimeout) throws Exception {
    return AgentJvm.start(
        JettyMixedApplication.class,
        List.of(AgentJvm.agent(), "-Dcoarse=" + coarse),
        Map.of(
            "LASTCALL_GRACE_PERIOD",
            "60s",
            "LASTCALL_PROPAGATION_DELAY",
            "0s",
            "LASTCALL_DRAIN_TIMEOUT",
            drainTimeout));
  }
}
