package io.lastcall.examples.work.poller;

import io.lastcall.examples.work.Orders;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** {@link Poller} as it is written without the library: a hook closes the connection. */
public final class PollerWithout {
  private PollerWithout() {}

  public static void main(String[] args) throws SQLException, InterruptedException {
    Connection connection = DriverManager.getConnection(args[0]);
    connection.setAutoCommit(false);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> close(connection)));
    try (Statement statement = connection.createStatement()) {
      while (!connection.isClosed()) {
        String name = "";
        try (ResultSet row =
            statement.executeQuery(
                "SELECT name FROM orders WHERE NOT done LIMIT 1 FOR UPDATE SKIP LOCKED")) {
          if (row.next()) {
            name = row.getString(1);
          }
        }
        if (name.isEmpty()) {
          Thread.sleep(500);
        } else {
          Orders.process(name);
          statement.executeUpdate("UPDATE orders SET done = TRUE WHERE name = '" + name + "'");
        }
        connection.commit();
      }
    }
  }

  private static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
