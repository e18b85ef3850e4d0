package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.datasource.ConnectionProxy;

/** A real pool of a real database, which lives as long as a connection to it is open. */
@Timeout(600)
class HikariConnectionsTest {
  private static final int SIZE = 10;

  private static HikariConfig config(int size) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
    config.setMaximumPoolSize(size);
    return config;
  }

  private static HikariDataSource started(HikariConfig config) {
    HikariDataSource source = new HikariDataSource(config);
    HikariConnections pool = new HikariConnections(source);
    Awaitility.await().until(() -> pool.idle() == config.getMaximumPoolSize());
    return source;
  }

  /** As the database itself counts them. */
  private static int sessions(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet counted =
            statement.executeQuery("select count(*) from information_schema.sessions")) {
      assertTrue(counted.next());
      return counted.getInt(1);
    }
  }

  @Test
  void closeOneIdle_closesOne_andNoneIsOpenedInItsPlace() throws Exception {
    try (HikariDataSource source = started(config(SIZE))) {
      HikariConnections pool = new HikariConnections(source);
      assertEquals(SIZE, sessions(source));
      for (int open = SIZE; open > 1; open--) {
        assertEquals(open, pool.idle());
        assertTrue(pool.closeOneIdle());
      }
      Awaitility.await().until(() -> sessions(source) == 1);
      assertEquals(1, pool.idle());
      assertEquals(0, pool.inUse());
      assertEquals(OptionalInt.of(SIZE), pool.maximum());
    }
  }

  @Test
  void burst_afterwards_getsAllConnectionsThatThePoolMayHave() throws Exception {
    try (HikariDataSource source = started(config(SIZE))) {
      HikariConnections pool = new HikariConnections(source);
      while (pool.idle() > 1) {
        assertTrue(pool.closeOneIdle());
      }
      List<Connection> taken = new ArrayList<>();
      for (int i = 0; i < SIZE; i++) {
        taken.add(source.getConnection());
      }
      assertEquals(SIZE, pool.inUse());
      for (Connection each : taken) {
        each.close();
      }
      assertEquals(0, pool.inUse());
    }
  }

  @Test
  void connectionInUse_isLeftAlone() throws Exception {
    try (HikariDataSource source = started(config(3))) {
      HikariConnections pool = new HikariConnections(source);
      try (Connection request = source.getConnection()) {
        assertEquals(1, pool.inUse());
        assertTrue(pool.closeOneIdle());
        assertEquals(1, pool.idle());
        assertTrue(request.isValid(1));
      }
      assertEquals(2, pool.idle());
    }
  }

  /** The connection that was to be closed is the request's. */
  @Test
  void requestWaits_getsTheConnection() throws Exception {
    try (HikariDataSource source = started(config(2))) {
      HikariConnections pool = new HikariConnections(source);
      Connection first = source.getConnection();
      Connection second = source.getConnection();
      CompletableFuture<Boolean> closing = supply(pool::closeOneIdle);
      Awaitility.await().until(() -> pool.inUse() == 3);
      CompletableFuture<Connection> request = supply(source::getConnection);
      Awaitility.await().until(() -> pool.inUse() == 4);
      first.close();
      assertFalse(closing.get(60, TimeUnit.SECONDS));
      request.get(60, TimeUnit.SECONDS).close();
      second.close();
      assertEquals(2, pool.idle());
    }
  }

  private interface Call<T> {
    T call() throws SQLException;
  }

  private static <T> CompletableFuture<T> supply(Call<T> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                result.complete(call.call());
              } catch (SQLException e) {
                result.completeExceptionally(e);
              }
            })
        .start();
    return result;
  }

  @Test
  void poolThatIsNotThere_isNotMadeByTheQuestion() throws Exception {
    try (HikariDataSource source = new HikariDataSource()) {
      config(SIZE).copyStateTo(source);
      HikariConnections pool = new HikariConnections(source);
      assertEquals(0, pool.inUse() + pool.idle());
      assertFalse(source.isRunning());
      source.getConnection().close();
      Awaitility.await().until(() -> pool.idle() == SIZE);
    }
  }

  @Test
  void suspendedOrClosedPool_hasNoneToClose() {
    HikariConfig config = config(SIZE);
    config.setAllowPoolSuspension(true);
    HikariDataSource source = started(config);
    HikariConnections pool = new HikariConnections(source);
    source.getHikariPoolMXBean().suspendPool();
    assertEquals(0, pool.inUse() + pool.idle());
    source.getHikariPoolMXBean().resumePool();
    assertEquals(SIZE, pool.idle());
    source.close();
    assertEquals(0, pool.inUse() + pool.idle());
  }

  @Test
  void ownMinimumBelowOne_stays() throws Exception {
    HikariConfig config = config(SIZE);
    config.setMinimumIdle(0);
    try (HikariDataSource source = new HikariDataSource(config)) {
      Connection first = source.getConnection();
      Connection second = source.getConnection();
      first.close();
      second.close();
      assertTrue(new HikariConnections(source).closeOneIdle());
      assertEquals(0, source.getMinimumIdle());
      assertEquals(SIZE, source.getMaximumPoolSize());
    }
  }

  /** HikariCP evicts its own connections alone: another would stay open, unknown to the pool. */
  @Test
  void connectionsOfAnotherKind_areNamed_andTheOneThatWasTakenIsReturned() throws Exception {
    try (HikariDataSource source = new Wrapping()) {
      config(SIZE).copyStateTo(source);
      source.getConnection().close();
      HikariConnections pool = new HikariConnections(source);
      Awaitility.await().until(() -> pool.idle() == SIZE);
      IllegalStateException refusal = assertThrows(IllegalStateException.class, pool::closeOneIdle);
      String words = String.valueOf(refusal.getMessage());
      assertTrue(words.endsWith("which HikariCP cannot evict"), words);
      assertEquals(SIZE, pool.idle());
    }
  }

  private static final class Wrapping extends HikariDataSource {
    @Override
    public Connection getConnection() throws SQLException {
      Connection own = super.getConnection();
      return (Connection)
          java.lang.reflect.Proxy.newProxyInstance(
              ConnectionProxy.class.getClassLoader(),
              new Class<?>[] {ConnectionProxy.class},
              (proxy, method, arguments) -> method.invoke(own, arguments));
    }
  }
}
