package io.lastcall.examples.takers;

import io.lastcall.examples.work.Backlog;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.h2.tools.Server;

/** The repository of Spring Batch in an H2 server in this JVM: each shutdown has one of its own. */
final class BatchBacklog implements Backlog {
  private final Server server;
  private List<String> orders = List.of();
  private int jobs;

  BatchBacklog() throws SQLException {
    server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
  }

  private String url() {
    return "jdbc:h2:tcp://127.0.0.1:%d/mem:jobs-%d;DB_CLOSE_DELAY=-1"
        .formatted(server.getPort(), jobs);
  }

  @Override
  public List<String> arguments() {
    return List.of(url(), Integer.toString(orders.size()));
  }

  @Override
  public void add(List<String> added) {
    jobs++;
    orders = added;
  }

  /** An execution that is not STOPPED can not be restarted: it counts as running. */
  @Override
  public int hidden() throws SQLException {
    return isStopped() ? 0 : left().size();
  }

  @Override
  public List<String> takeAll() throws SQLException {
    return isStopped() ? left() : List.of();
  }

  private boolean isStopped() throws SQLException {
    return "STOPPED".equals(first("select status from batch_job_execution"));
  }

  private List<String> left() throws SQLException {
    String done = first("select write_count from batch_step_execution");
    return orders.subList(Integer.parseInt(done), orders.size());
  }

  private String first(String select) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(select)) {
      row.next();
      return row.getString(1);
    }
  }

  @Override
  public void close() {
    server.stop();
  }
}
