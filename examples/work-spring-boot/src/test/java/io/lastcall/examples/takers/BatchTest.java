package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
@Tag("all")
class BatchTest {
  private final String database;

  BatchTest() throws Exception {
    Path folder = Files.createTempDirectory("batch");
    database = "jdbc:h2:" + folder.resolve("jobs") + ";AUTO_SERVER=TRUE";
  }

  private Service start(String... more) throws Exception {
    String[] arguments = {
      "--spring.datasource.url=" + database,
      "--spring.datasource.username=sa",
      "--spring.datasource.password=",
      "--spring.batch.jdbc.initialize-schema=always",
      "--piece.time=500ms",
      "--lastcall.grace-period=60s",
      "--lastcall.propagation-delay=3s",
      "--lastcall.drain-timeout=10s",
      more[0],
      more.length > 1 ? more[1] : "--unused"
    };
    return Service.start(BatchService.class, arguments);
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

  private int inARequest(String more) throws Exception {
    try (Service service = start("--spring.batch.job.enabled=false", more)) {
      service.awaitStarted();
      var unused = service.get("/job");
      service.awaitLines("taken order-2", 1);
      service.terminate();
      return service.awaitExit();
    }
  }

  /** A Kubernetes Job must not count as complete: 75. */
  @Test
  void sigterm_jobInARequest_isStoppedAndGoesOnInTheNextProcess() throws Exception {
    assertEquals(75, inARequest("--unused"));
    assertEquals("STOPPED", status());
    try (Service again = start("--spring.batch.job.enabled=false")) {
      again.awaitStarted();
      var unused = again.get("/job");
      again.awaitLines("taken ", 1);
      assertNotEquals("order-0", again.said("taken").get(0));
    }
  }

  /** Spring Boot runs it before the application has started. */
  @Test
  void sigterm_jobInTheRunner_isStopped() throws Exception {
    try (Service service = start("--spring.batch.job.enabled=true")) {
      service.awaitLines("taken order-2", 1);
      service.terminate();
      assertEquals(75, service.awaitExit(), service::output);
      assertEquals("STOPPED", status(), service::output);
    }
  }

  /** It goes on until the end of DRAIN, and is cut there. */
  @Test
  void sigterm_withoutItsTaker_isCut() throws Exception {
    inARequest("--lastcall.work.enabled=false");
    assertNotEquals("STOPPED", status());
  }
}
