package io.lastcall.examples.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.examples.cluster.Outcome;
import io.lastcall.testing.PrepareRequest;
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
@Timeout(600)
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
    Awaitility.await()
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> PrepareRequest.send(port, RaftTrial.TOKEN) == 200);
    Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> !trial.leader().equals(leader));
    trial.writer().await(10);
    assertEquals(200, PrepareRequest.send(port, RaftTrial.TOKEN));
    assertEquals(List.of(), trial.writer().lost());
  }
}
