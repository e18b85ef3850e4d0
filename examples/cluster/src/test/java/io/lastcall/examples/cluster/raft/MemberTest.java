package io.lastcall.examples.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.examples.cluster.Outcome;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** One group for all tests: it takes a while to start. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MemberTest {
  private RaftTrial trial;

  @BeforeAll
  void start() throws Exception {
    trial = new RaftTrial();
  }

  @AfterAll
  void close() throws Exception {
    trial.close();
  }

  @Test
  void sigtermOfTheLeader_underWrites_anotherIsElectedBeforeItCloses() throws Exception {
    Outcome outcome = trial.shutDown(0);
    assertEquals(List.of(), outcome.wrong());
    assertEquals(0, outcome.exitCode());
  }

  @Test
  @Tag("long")
  void prepare_ofTheLeader_anotherLeadsAndTheMemberStaysUp() throws Exception {
    String leader = trial.leader();
    int port = trial.probePort(leader);
    Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> prepare(port) == 200);
    Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> !trial.leader().equals(leader));
    trial.writer().await(10);
    assertEquals(200, prepare(port));
    assertEquals(List.of(), trial.writer().lost());
  }

  private static int prepare(int port) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/prepare"))
            .header("X-Lastcall-Token", RaftTrial.TOKEN)
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();
    return HttpClient.newHttpClient()
        .send(request, HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
