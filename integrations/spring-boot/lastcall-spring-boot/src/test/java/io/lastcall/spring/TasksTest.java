package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.spring.work.TaskApplication;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code @Async} and {@code @Scheduled} tasks, and pools, of a service that gets a SIGTERM. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("each-jdk")
class TasksTest {
  private static final Pattern RUNS =
      Pattern.compile("work '(?:taskScheduler|@Scheduled)' finished (\\d+)");

  @Test
  void sigterm_platformThreads_everyTaskThatBeganIsFinished() throws Exception {
    assertFinished("--spring.task.execution.shutdown.await-termination-period=20s");
  }

  @Test
  void sigterm_virtualThreads_everyTaskThatBeganIsFinished() throws Exception {
    assumeTrue(Runtime.version().feature() >= 21, "Virtual threads need JDK 21");
    assertFinished("--spring.threads.virtual.enabled=true");
  }

  private static void assertFinished(String threads) throws Exception {
    try (Service service =
        Service.start(
            TaskApplication.class,
            threads,
            "--test.pool=true",
            "--spring.task.execution.shutdown.await-termination=true",
            "--spring.task.execution.mode=force", // beside that pool
            "--lastcall.grace-period=30s",
            "--lastcall.propagation-delay=2s")) {
      service.port();
      service.awaitLine("mail begun 9");
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      // Nine would follow; the log's line may come after one or two that were before it.
      int begun = service.index("KEEP_SERVING for up to");
      assertTrue(
          service.output().lines().skip(begun).filter("tick"::equals).count() < 3, service::output);
      assertEquals(service.count("mail begun"), service.count("inserted mail"), service::output);
      assertEquals(service.count("slow begun"), service.count("slow ended"), service::output);
      assertEquals(1, service.count("inserted pool task"), service::output);
      assertTrue(service.index("work 'applicationTaskExecutor'") > 0, service::output);
      // Ten more would be due, which do not run: they must not count as finished.
      Matcher runs = RUNS.matcher(service.output());
      assertTrue(runs.find(), service::output);
      assertTrue(Integer.parseInt(runs.group(1)) < 4, service::output);
    }
  }

  @Test
  @Tag("all")
  void sigterm_tasksOutliveDrain_isIncompleteAndNamesTheExecutor() throws Exception {
    try (Service service =
        Service.start(
            TaskApplication.class,
            "--test.seconds=40",
            "--lastcall.grace-period=30s",
            "--lastcall.propagation-delay=0s",
            "--lastcall.drain-timeout=1s")) {
      service.port();
      service.awaitLine("mail begun 1");
      service.terminate();
      assertEquals(80, service.awaitExit(), service::output);
      assertTrue(service.index("of work 'applicationTaskExecutor'") > 0, service::output);
      assertEquals(0, service.count("inserted mail"), service::output);
    }
  }
}
