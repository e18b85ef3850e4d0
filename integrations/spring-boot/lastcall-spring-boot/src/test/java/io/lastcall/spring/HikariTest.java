package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.pool.PoolApplication;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.h2.tools.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A service on a database's server, which says how many connections are open. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("all")
class HikariTest {
  private static final String NAME = "mem:hikari-test";
  private static final int SIZE = 10;

  /** Without the one that asks. */
  private static int open(Connection local) {
    try (Statement statement = local.createStatement();
        ResultSet counted =
            statement.executeQuery("select count(*) from information_schema.sessions")) {
      assertTrue(counted.next());
      return counted.getInt(1) - 1;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void sigterm_idleConnectionsAreClosedWhileItStillServes_andItEndsClean() throws Exception {
    Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    try (Connection local = DriverManager.getConnection("jdbc:h2:" + NAME);
        Service service =
            Service.start(
                PoolApplication.class,
                "--test.database=jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/" + NAME,
                "--lastcall.grace-period=60s",
                "--lastcall.propagation-delay=12s")) {
      int port = service.port();
      assertEquals("valid", service.get(port, "/order").get(60, TimeUnit.SECONDS).body());
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> open(local) == SIZE);
      service.terminate();
      service.awaitLine("KEEP_SERVING for up to");
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> open(local) == 1);
      assertEquals(-1, service.index("DRAIN for up to"), service::output);
      assertEquals("valid", service.get(port, "/order").get(60, TimeUnit.SECONDS).body());
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(0, open(local));
      service.awaitLine("Pool 'orders' has closed 9 of 10 connections: they were idle");
    } finally {
      server.stop();
    }
  }
}
