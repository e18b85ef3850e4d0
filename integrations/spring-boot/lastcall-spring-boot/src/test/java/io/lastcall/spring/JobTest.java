package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.work.JobApplication;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Exit codes of a job in a runner, which a Kubernetes Job goes by. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class JobTest {
  /** All jars but these of {@code spring-boot-starter}, and Lastcall's. */
  private static final String OTHERS =
      "(?!(spring-(boot-[0-9]|boot-autoconfigure|core|beans|context-[0-9]|aop|expression)"
          + "|lastcall|.*classes|logback|slf4j|log4j|jul-|commons-logging|jspecify|snakeyaml"
          + "|micrometer-(commons|observation)))";

  @TempDir private Path folder;

  private Service start(int items, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("--spring.main.web-application-type=none");
    arguments.add("--test.checkpoint=" + folder.resolve("checkpoint"));
    arguments.add("--test.items=" + items);
    return Service.start(JobApplication.class, arguments.toArray(String[]::new));
  }

  /** So ends the second process of the tests that go on, too. */
  @Tag("all")
  @Test
  void runner_hasDoneAll_exitsWith0() throws Exception {
    try (Service service = start(3)) {
      service.awaitLine("processed 2.");
      assertEquals(0, service.awaitExit(), service::output);
      assertFalse(Files.exists(folder.resolve("checkpoint")));
    }
  }

  /** No web server, no Actuator, no taker: the types that these name are absent. */
  @Test
  void runner_nothingButSpringBootsOwnStarter_exitsWith0() throws Exception {
    try (Service service =
        Service.startWithout(
            OTHERS,
            JobApplication.class,
            "--test.checkpoint=" + folder.resolve("checkpoint"),
            "--test.items=3")) {
      service.awaitLine("processed 2.");
      assertEquals(0, service.awaitExit(), service::output);
    }
  }

  @Test
  void runner_throws_exitsAsSpringBootSays() throws Exception {
    try (Service service = start(3, "--test.broken=1")) {
      service.awaitLine("item 1 cannot be processed");
      assertEquals(1, service.awaitExit(), service::output);
    }
  }

  /** The runner returns while the shutdown goes on: an exit with 0 would say that all is done. */
  @Test
  void sigterm_afterTheStart_savesTheCheckpointAndExitsWith75_andTheNextOneGoesOn()
      throws Exception {
    assertGoesOn("--test.runner=false");
  }

  /** A runner is part of start-up: its job is work all the same. */
  @Test
  void sigterm_inTheRunner_savesTheCheckpointAndExitsWith75_andTheNextOneGoesOn() throws Exception {
    assertGoesOn();
  }

  /** Its context is not closed before {@code SpringApplication.exit} has asked it for the code. */
  @Test
  void sigterm_inTheRunner_mainIsSlow_exitsWith75() throws Exception {
    try (Service service =
        start(
            1_000,
            "--test.busy=500ms",
            "--test.last-step=2s",
            "--lastcall.grace-period=120s",
            "--lastcall.exit-timeout=60s")) {
      service.awaitLine("processed 1.");
      service.terminate();
      assertEquals(75, service.awaitExit(), service::output);
    }
  }

  /** Its {@code main} exits meanwhile, with a code of its own: Spring Boot's hook ends the log. */
  @Test
  @Tag("all")
  void sigterm_inTheRunner_theLogHasTheReport() throws Exception {
    try (Service service =
        start(
            1_000,
            "--test.asks=false",
            "--test.last-step=1s",
            "--lastcall.grace-period=120s",
            "--lastcall.exit-timeout=60s")) {
      service.awaitLine("processed 1.");
      service.terminate();
      assertEquals(3, service.awaitExit(), service::output);
      assertEquals(1, service.count("Shutdown with work handed back"), service::output);
    }
  }

  private void assertGoesOn(String... more) throws Exception {
    int next;
    try (Service service = start(1_000, more)) {
      service.awaitLine("processed 1.");
      service.terminate();
      assertEquals(75, service.awaitExit(), service::output);
      next = Integer.parseInt(Files.readString(folder.resolve("checkpoint")));
      assertEquals(next, service.count("processed "), service::output);
      assertTrue(next < 1_000);
    }
    try (Service service = start(next + 2, more)) {
      service.awaitLine("processed " + (next + 1) + ".");
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(2, service.count("processed "), service::output);
      service.awaitLine("processed " + next + ".");
    }
  }
}
