package io.lastcall.spring;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.lastcall.pool.ConnectionPool;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;
import java.util.function.ToIntFunction;

/**
 * A pool of HikariCP's. One idle connection is taken and evicted: {@code softEvictConnections()}
 * would also close the connections that requests are using, as these are returned. {@code
 * minimumIdle} is lowered, which the pool reads each time it fills itself up again; {@code
 * maximumPoolSize} stays.
 */
record HikariConnections(HikariDataSource source) implements ConnectionPool {
  /** The class names of its connections begin so. */
  private static final String HIKARI = "com.zaxxer.hikari.";

  @Override
  public int inUse() {
    return count(HikariPoolMXBean::getActiveConnections) + waiting();
  }

  @Override
  public int idle() {
    return count(HikariPoolMXBean::getIdleConnections);
  }

  @Override
  public OptionalInt maximum() {
    return OptionalInt.of(source.getMaximumPoolSize());
  }

  private int waiting() {
    return count(HikariPoolMXBean::getThreadsAwaitingConnection);
  }

  /** Zero for a pool that is not there yet, is suspended, or is closed. */
  private int count(ToIntFunction<HikariPoolMXBean> number) {
    return source.isRunning() ? number.applyAsInt(source.getHikariPoolMXBean()) : 0;
  }

  @Override
  public boolean closeOneIdle() throws SQLException {
    if (source.getMinimumIdle() > 1) {
      source.setMinimumIdle(1);
    }
    try (Connection idle = source.getConnection()) {
      if (!idle.getClass().getName().startsWith(HIKARI)) {
        throw new IllegalStateException(
            "getConnection() returns %s, which HikariCP cannot evict"
                .formatted(idle.getClass().getName()));
      }
      if (waiting() > 0) {
        return false;
      }
      source.evictConnection(idle);
      return true;
    }
  }
}
