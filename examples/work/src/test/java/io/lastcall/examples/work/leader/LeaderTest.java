package io.lastcall.examples.work.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.FreePort;
import io.lastcall.testing.PrepareRequest;
import io.lastcall.testing.Program;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaderTest {
  private static final long LEASE_NANOS = Duration.ofSeconds(15).toNanos();

  private static final String TOKEN = "a-token-of-32-characters-at-least";

  private Server server;
  private Connection lease;
  private String url;

  @BeforeEach
  void start() throws SQLException {
    server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:lease";
    lease = DriverManager.getConnection(url);
    try (Statement statement = lease.createStatement()) {
      statement.execute(
          "CREATE TABLE lease (holder VARCHAR, until TIMESTAMP WITH TIME ZONE,"
              + " candidate VARCHAR, seen TIMESTAMP WITH TIME ZONE)");
      statement.execute("INSERT INTO lease VALUES ('', CURRENT_TIMESTAMP, '', CURRENT_TIMESTAMP)");
    }
  }

  @AfterEach
  void stop() throws SQLException {
    lease.close();
    server.stop();
  }

  @Test
  void sigterm_whileItLeads_nextLeadsBeforeTheLeaseHasRunOut() throws Exception {
    try (Program first = new Program(Leader.class, List.of(url, "first"))) {
      first.await("taken", 3);
      try (Program second = new Program(Leader.class, List.of(url, "second"))) {
        first.sigterm();
        assertEquals(0, first.awaitExit());
        first.awaitOutput();
        second.await("taken", 1);
        assertTrue(gap(first, second) < LEASE_NANOS);
      }
    }
  }

  @Test
  void prepare_whileItLeads_isPreparedOnceAnotherLeads() throws Exception {
    int probes = FreePort.next();
    try (Program first =
        new Program(
            Leader.class,
            List.of(url, "first"),
            "-Dlastcall.probe-port=" + probes,
            "-Dlastcall.pre-stop-token=" + TOKEN)) {
      first.await("taken", 3);
      assertEquals(202, PrepareRequest.send(probes, TOKEN));
      try (Program second = new Program(Leader.class, List.of(url, "second"))) {
        Awaitility.await().until(() -> PrepareRequest.send(probes, TOKEN) == 200);
        second.await("taken", 1);
        assertTrue(gap(first, second) < LEASE_NANOS);
        first.sigterm();
        assertEquals(0, first.awaitExit());
      }
    }
  }

  /** Returns the time from the end of a leader's last order to the begin of the next leader's. */
  private static long gap(Program leader, Program next) {
    List<Program.Line> done = leader.lines("done");
    assertEquals(leader.lines("taken").size(), done.size());
    long gap = next.lines("taken").get(0).nanos() - done.get(done.size() - 1).nanos();
    assertTrue(gap > 0, () -> gap + " ns");
    return gap;
  }
}
