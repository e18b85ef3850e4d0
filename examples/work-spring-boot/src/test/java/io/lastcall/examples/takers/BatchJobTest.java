package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Spring Batch in a runner: the exit code says whether the next Pod has anything to do. */
@Timeout(180)
@Tag("all")
class BatchJobTest {
  private final String database;

  BatchJobTest() throws Exception {
    Path folder = Files.createTempDirectory("batch");
    database = "jdbc:h2:" + folder.resolve("jobs") + ";AUTO_SERVER=TRUE";
  }

  private Service start(String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("--spring.main.web-application-type=none");
    arguments.add("--spring.datasource.url=" + database);
    arguments.add("--spring.datasource.username=sa");
    arguments.add("--spring.datasource.password=");
    arguments.add("--spring.batch.jdbc.initialize-schema=always");
    return Service.start(BatchJob.class, arguments.toArray(String[]::new));
  }

  private String status() throws Exception {
    try (Connection connection = DriverManager.getConnection(database, "sa", "");
        Statement statement = connection.createStatement();
        ResultSet execution =
            statement.executeQuery(
                "select status from batch_job_execution order by job_execution_id desc")) {
      execution.next();
      return execution.getString(1);
    }
  }

  /** Nobody can restart it: the next Pod finds an execution that seems to run. */
  @Test
  void sigterm_itsRepositoryFails_endsIncompleteAndNamesIt() throws Exception {
    try (Service service = start("--piece.time=500ms")) {
      service.awaitLines("taken order-2", 1);
      service.terminate();
      service.awaitLines("Shutdown begun", 1);
      try (Connection connection = DriverManager.getConnection(database, "sa", "");
          Statement statement = connection.createStatement()) {
        statement.execute("alter table batch_step_execution rename to gone");
      }
      assertEquals(80, service.awaitExit(), service::output);
      assertEquals(1, service.count("batch orders ended as UNKNOWN"), service::output);
    }
  }

  @Test
  void sigterm_inTheRunner_isStoppedAndExitsWith75_andTheNextProcessCompletesIt() throws Exception {
    try (Service service = start("--piece.time=500ms")) {
      service.awaitLines("taken order-2", 1);
      service.terminate();
      assertEquals(75, service.awaitExit());
    }
    assertEquals("STOPPED", status());
    try (Service again = start("--piece.time=1ms")) {
      again.awaitLines("taken order-49", 1);
      assertEquals(0, again.awaitExit());
    }
    assertEquals("COMPLETED", status());
  }

  @Test
  void sigterm_withoutTheStarter_isCutAndLeftAsStarted() throws Exception {
    try (Service service = start("--piece.time=500ms", "--lastcall.enabled=false")) {
      service.awaitLines("taken order-2", 1);
      service.terminate();
      assertEquals(143, service.awaitExit());
    }
    assertEquals("STARTED", status());
  }
}
