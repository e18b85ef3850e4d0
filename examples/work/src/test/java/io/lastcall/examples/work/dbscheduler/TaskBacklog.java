package io.lastcall.examples.work.dbscheduler;

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

/** The table of db-scheduler in an H2 server in this JVM. */
public final class TaskBacklog implements Backlog {
  private final Server server;
  private final String url;
  private final Connection connection;

  public TaskBacklog() throws SQLException {
    server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:tasks";
    connection = DriverManager.getConnection(url); // keeps the database
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          CREATE TABLE scheduled_tasks (
            task_name VARCHAR(100), task_instance VARCHAR(100), task_data BLOB,
            execution_time TIMESTAMP WITH TIME ZONE, picked BOOLEAN, picked_by VARCHAR(50),
            last_success TIMESTAMP WITH TIME ZONE, last_failure TIMESTAMP WITH TIME ZONE,
            consecutive_failures INT, last_heartbeat TIMESTAMP WITH TIME ZONE, version BIGINT,
            PRIMARY KEY (task_name, task_instance))
          """);
    }
  }

  @Override
  public List<String> arguments() {
    return List.of(url);
  }

  @Override
  public void add(List<String> orders) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO scheduled_tasks (task_name, task_instance, execution_time, picked,"
                + " version) VALUES ('order', ?, CURRENT_TIMESTAMP, FALSE, 1)")) {
      for (String order : orders) {
        insert.setString(1, order);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  /** What is picked can be had only after several heartbeats were missed. */
  @Override
  public int hidden() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet count =
            statement.executeQuery("SELECT COUNT(*) FROM scheduled_tasks WHERE picked")) {
      count.next();
      return count.getInt(1);
    }
  }

  @Override
  public List<String> takeAll() throws SQLException {
    List<String> taken = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      try (ResultSet rows =
          statement.executeQuery(
              "SELECT task_instance FROM scheduled_tasks"
                  + " WHERE NOT picked AND execution_time <= CURRENT_TIMESTAMP")) {
        while (rows.next()) {
          taken.add(rows.getString(1));
        }
      }
      statement.execute("DELETE FROM scheduled_tasks");
    }
    return taken;
  }

  @Override
  public void close() {
    server.stop();
  }
}
