package io.lastcall.examples.work.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.Program;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;

class LeaderTest {
  private static final long LEASE_NANOS = Duration.ofSeconds(15).toNanos();

  @Test
  void sigterm_whileItLeads_nextLeadsBeforeTheLeaseHasRunOut() throws Exception {
    Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    String url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:lease";
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE lease (holder VARCHAR, until TIMESTAMP WITH TIME ZONE)");
      statement.execute("INSERT INTO lease VALUES ('', CURRENT_TIMESTAMP)");
      try (Program first = new Program(Leader.class, List.of(url, "first"))) {
        first.await("taken", 3);
        try (Program second = new Program(Leader.class, List.of(url, "second"))) {
          first.sigterm();
          assertEquals(0, first.awaitExit());
          first.awaitOutput();
          second.await("taken", 1);
          List<Program.Line> done = first.lines("done");
          assertEquals(first.lines("taken").size(), done.size());
          long gap = second.lines("taken").get(0).nanos() - done.get(done.size() - 1).nanos();
          assertTrue(gap > 0 && gap < LEASE_NANOS, () -> gap + " ns");
        }
      }
    } finally {
      server.stop();
    }
  }
}
