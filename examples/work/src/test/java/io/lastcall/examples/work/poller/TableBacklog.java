package io.lastcall.examples.work.poller;

import io.lastcall.examples.work.Backlog;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.h2.tools.Server;

/** A table in an H2 server in this JVM. */
public final class TableBacklog implements Backlog {
  private final Server server;
  private final String url;
  private final Connection connection;

  public TableBacklog() throws SQLException {
    server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:orders";
    connection = DriverManager.getConnection(url); // keeps the database
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE orders (name VARCHAR PRIMARY KEY, done BOOLEAN NOT NULL DEFAULT FALSE)");
    }
  }

  @Override
  public List<String> arguments() {
    return List.of(url);
  }

  @Override
  public void add(List<String> orders) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO orders (name) VALUES (?)")) {
      for (String order : orders) {
        insert.setString(1, order);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** A row that is still locked is not among them. */
  @Override
  public List<String> takeAll() throws SQLException {
    List<String> taken = new ArrayList<>();
    try (Connection another = DriverManager.getConnection(url);
        Statement statement = another.createStatement()) {
      another.setAutoCommit(false);
      try (ResultSet rows =
          statement.executeQuery("SELECT name FROM orders WHERE NOT done FOR UPDATE SKIP LOCKED")) {
        while (rows.next()) {
          taken.add(rows.getString(1));
        }
      }
      statement.execute("DELETE FROM orders");
      another.commit();
    }
    return taken;
  }

  @Override
  public void close() {
    server.stop();
  }
}
