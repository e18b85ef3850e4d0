package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.RawClient;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("each-server")
@Tag("all")
class GoneClientTest {
  /** Their handlers wait for ever, and nobody for them. */
  @Test
  void sigterm_clientsHaveClosed_isCleanAndNamesWhatTheyAbandoned() throws Exception {
    try (Service service = Service.start("--lastcall.propagation-delay=0s")) {
      int port = service.port();
      for (int client = 1; client <= 3; client++) {
        int begun = client;
        try (RawClient closing = new RawClient(port)) {
          closing.get("/hold");
          Awaitility.await().until(() -> service.count("hold began") == begun);
        }
      }
      service.terminate();
      service.awaitLine("DRAIN goes on without 3 requests, abandoned by their clients: GET /hold");
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("abandoned 0, 3 abandoned by their clients since the trigger");
      service.awaitLine("Shutdown clean");
    }
  }
}
