package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Tag;

@Tag("all")
class DbSchedulerTest extends TakerContract {
  private static final int TASKS = 40;
  private String database = "";

  DbSchedulerTest() {
    super(DbSchedulerService.class, 1);
  }

  /** A file, which both JVMs may have open. */
  @Override
  List<String> prepare() throws Exception {
    Path folder = Files.createTempDirectory("db-scheduler");
    database = "jdbc:h2:" + folder.resolve("tasks") + ";AUTO_SERVER=TRUE";
    try (Connection connection = DriverManager.getConnection(database, "sa", "");
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create table scheduled_tasks (
            task_name varchar(100), task_instance varchar(100), task_data blob,
            execution_time timestamp with time zone, picked boolean, picked_by varchar(50),
            last_success timestamp with time zone, last_failure timestamp with time zone,
            consecutive_failures int, last_heartbeat timestamp with time zone, version bigint,
            priority smallint, state varchar(20), primary key (task_name, task_instance))
          """);
      for (int i = 0; i < TASKS; i++) {
        statement.execute(
            "insert into scheduled_tasks (task_name, task_instance, execution_time, picked, version)"
                + " values ('order', 'order-%d', current_timestamp, false, 1)".formatted(i));
      }
    }
    return List.of(
        "--spring.datasource.url=" + database,
        "--spring.datasource.username=sa",
        "--spring.datasource.password=");
  }

  /** None is picked by the process that is gone. */
  @Override
  void assertLeft(List<String> ended) throws Exception {
    try (Connection connection = DriverManager.getConnection(database, "sa", "");
        Statement statement = connection.createStatement();
        ResultSet left =
            statement.executeQuery("select count(*) from scheduled_tasks where not picked")) {
      left.next();
      assertEquals(TASKS - ended.size(), left.getInt(1));
    }
  }
}
