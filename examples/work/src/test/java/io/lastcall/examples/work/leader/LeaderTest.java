package io.lastcall.examples.work.leader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.FreePort;
import io.lastcall.testing.PrepareRequest;
import io.lastcall.testing.Program;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LeaderTest {
  private static final long LEASE_NANOS = Duration.ofSeconds(15).toNanos();

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final String TOKEN = "a-token-of-32-characters-at-least";

  private static final String OFFER_OF_THE_DEAD =
      "UPDATE lease SET candidate = 'dead', seen = CURRENT_TIMESTAMP WHERE holder = 'first'";

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
        // A lease's time is too short to start a JVM on a busy machine.
        Awaitility.await().atMost(PATIENCE).until(() -> isLease("candidate = 'second'"));
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
    try (Program first = member("first", probes)) {
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

  /** A drain asks all members of a group; the one that leads hangs, or its node is lost. */
  @Test
  void leaderIsDead_allOthersAreAsked_oneOfThemTakesTheLapsedLease() throws Exception {
    int probesOfSecond = FreePort.next();
    int probesOfThird = FreePort.next();
    try (Program first = new Program(Leader.class, List.of(url, "first"))) {
      first.await("taken", 3);
      try (Program second = member("second", probesOfSecond);
          Program third = member("third", probesOfThird)) {
        Awaitility.await().until(() -> arePrepared(probesOfSecond, probesOfThird));
        first.sigkill();
        first.awaitExit();
        first.awaitOutput();
        Awaitility.await()
            .atMost(PATIENCE)
            .until(
                () -> {
                  // A drain tries again and again: one that leads is not prepared any more.
                  boolean prepared = arePrepared(probesOfSecond, probesOfThird);
                  return !prepared && taken(second) + taken(third) > 0;
                });
        Program leader = taken(second) > 0 ? second : third;
        Program other = leader == second ? third : second;
        leader.await("taken", 3);
        assertEquals(0, taken(other));
        try (Program fourth = new Program(Leader.class, List.of(url, "fourth"))) {
          Awaitility.await()
              .atMost(PATIENCE)
              .until(() -> arePrepared(probesOfSecond, probesOfThird));
          fourth.await("taken", 1);
          assertEquals(0, taken(other));
          assertTrue(gap(leader, fourth) < LEASE_NANOS);
        }
      }
    }
  }

  /** A candidate is killed when it has just offered itself: the lease goes to nobody. */
  @Test
  void prepare_candidateIsDead_groupHasALeaderBeforeALeaseHasRunOut() throws Exception {
    int probesOfFirst = FreePort.next();
    int probesOfSecond = FreePort.next();
    try (Program first = member("first", probesOfFirst)) {
      first.await("taken", 3);
      try (Program second = member("second", probesOfSecond)) {
        Awaitility.await().atMost(PATIENCE).until(() -> arePrepared(probesOfSecond));
        Awaitility.await()
            .atMost(PATIENCE)
            .until(
                () -> {
                  status(probesOfFirst);
                  update(OFFER_OF_THE_DEAD);
                  return isLease("holder = 'dead'");
                });
        long handedOver = System.nanoTime();
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> !takenSince(handedOver, first, second).isEmpty());
        long taken = takenSince(handedOver, first, second).get(0);
        long done =
            first.lines("done").stream()
                .mapToLong(Program.Line::nanos)
                .filter(at -> at < handedOver)
                .max()
                .orElseThrow();
        assertTrue(taken - done < LEASE_NANOS, () -> taken - done + " ns without a leader");
      }
    }
  }

  /** As where the database's node is so busy that a lock outlasts the driver's patience. */
  @Test
  void rowIsLocked_leaderWaitsAndLeadsOn() throws Exception {
    try (Program first = new Program(Leader.class, List.of(url + ";LOCK_TIMEOUT=100", "first"))) {
      first.await("taken", 3);
      lease.setAutoCommit(false);
      update("UPDATE lease SET seen = seen");
      Set<String> tries = new HashSet<>();
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () -> {
                tries.addAll(blockedSince());
                return tries.size() > 1;
              });
      lease.rollback();
      first.await("taken", taken(first) + 3);
    }
  }

  /** Returns when statements began that wait for the row. */
  private List<String> blockedSince() throws SQLException {
    List<String> began = new ArrayList<>();
    try (Statement statement = lease.createStatement();
        ResultSet blocked =
            statement.executeQuery(
                "SELECT EXECUTING_STATEMENT_START FROM INFORMATION_SCHEMA.SESSIONS"
                    + " WHERE BLOCKER_ID IS NOT NULL")) {
      while (blocked.next()) {
        began.add(blocked.getString(1));
      }
    }
    return began;
  }

  private static List<Long> takenSince(long nanos, Program... members) {
    return Stream.of(members)
        .flatMap(member -> member.lines("taken").stream())
        .map(Program.Line::nanos)
        .filter(at -> at > nanos)
        .sorted()
        .toList();
  }

  private void update(String sql) throws SQLException {
    try (Statement statement = lease.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /** Returns whether the lease's row is so. */
  private boolean isLease(String condition) throws SQLException {
    try (Statement statement = lease.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM lease WHERE " + condition)) {
      return rows.next() && rows.getInt(1) == 1;
    }
  }

  private Program member(String name, int probes) throws Exception {
    return new Program(
        Leader.class,
        List.of(url, name),
        "-Dlastcall.probe-port=" + probes,
        "-Dlastcall.pre-stop-token=" + TOKEN);
  }

  private static boolean arePrepared(int... probes) throws Exception {
    boolean prepared = true;
    for (int port : probes) {
      prepared &= status(port) == 200;
    }
    return prepared;
  }

  /** Returns the answer's status; 0 while nothing listens. */
  private static int status(int probes) throws Exception {
    try {
      return PrepareRequest.send(probes, TOKEN);
    } catch (ConnectException e) {
      return 0;
    }
  }

  private static int taken(Program member) {
    return member.lines("taken").size();
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
