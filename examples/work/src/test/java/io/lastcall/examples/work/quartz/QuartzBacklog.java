package io.lastcall.examples.work.quartz;

import io.lastcall.examples.work.Backlog;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.h2.tools.RunScript;
import org.h2.tools.Server;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;

/** Quartz's tables in an H2 server in this JVM. */
public final class QuartzBacklog implements Backlog {
  private static final String TABLES = "/org/quartz/impl/jdbcjobstore/tables_h2.sql";

  private final Class<? extends Job> job;
  private final Server server;
  private final String url;
  private final Connection connection;

  public QuartzBacklog() throws SQLException, IOException {
    this(QuartzOrders.class);
  }

  /**
   * @param job does an order, by its key
   */
  public QuartzBacklog(Class<? extends Job> job) throws SQLException, IOException {
    this.job = job;
    server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
    url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/mem:orders";
    connection = DriverManager.getConnection(url); // keeps the database
    try (Reader tables =
        new InputStreamReader(
            Objects.requireNonNull(Scheduler.class.getResourceAsStream(TABLES)),
            StandardCharsets.UTF_8)) {
      var unused = RunScript.execute(connection, tables);
    }
  }

  @Override
  public List<String> arguments() {
    return List.of(url);
  }

  /** By a scheduler that is never started. */
  @Override
  public void add(List<String> orders) throws SchedulerException {
    Scheduler scheduler = QuartzOrders.scheduler(url);
    for (String order : orders) {
      scheduler.scheduleJob(
          JobBuilder.newJob(job).withIdentity(order).build(),
          TriggerBuilder.newTrigger().withIdentity(order).startNow().build());
    }
    scheduler.shutdown();
  }

  /** Those that have begun belong to the process that is gone. */
  @Override
  public int hidden() throws SQLException {
    return names("SELECT trigger_name FROM qrtz_fired_triggers WHERE state = 'EXECUTING'").size();
  }

  /** One that is acquired, and has not begun, is taken by the next process that starts. */
  @Override
  public List<String> takeAll() throws SQLException {
    List<String> taken =
        names(
            "SELECT job_name FROM qrtz_job_details WHERE job_name NOT IN"
                + " (SELECT trigger_name FROM qrtz_fired_triggers WHERE state = 'EXECUTING')");
    try (Statement delete = connection.createStatement()) {
      delete.execute("DELETE FROM qrtz_fired_triggers");
      delete.execute("DELETE FROM qrtz_simple_triggers");
      delete.execute("DELETE FROM qrtz_triggers");
      delete.execute("DELETE FROM qrtz_job_details");
    }
    return taken;
  }

  private List<String> names(String select) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(select)) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names;
  }

  @Override
  public void close() {
    server.stop();
  }
}
