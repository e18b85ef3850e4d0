package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.work.RunnerApplication;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A stop signal while a runner works: the application is not ready, and has work all the same. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class RunnerTest {
  private static Service start(String shape, String... more) throws Exception {
    String[] arguments = new String[more.length + 4];
    arguments[0] = "--spring.main.web-application-type=none";
    arguments[1] = "--test.shape=" + shape;
    arguments[2] = "--lastcall.grace-period=30s";
    arguments[3] = "--lastcall.propagation-delay=3s";
    System.arraycopy(more, 0, arguments, 4, more.length);
    return Service.start(RunnerApplication.class, arguments);
  }

  @Test
  void sigterm_jobInARunner_isToldAtOnceSavesAndExitsWith75() throws Exception {
    try (Service service = start("job")) {
      service.awaitLine("job begun");
      service.terminate();
      assertEquals(75, service.awaitExit(), service::output);
      assertEquals(1, service.count("saved"), service::output);
      assertTrue(service.index("Shutdown with work handed back") > 0, service::output);
      assertEquals(-1, service.index("nothing to drain"), service::output);
      assertEquals(-1, service.index("Serving on for"), service::output);
    }
  }

  @Test
  void sigterm_sourceInARunner_finishesWhatItHasTaken() throws Exception {
    try (Service service = start("source")) {
      service.awaitLine("order begun");
      service.terminate();
      assertEquals(143, service.awaitExit(), service::output);
      int stopped = service.index("takes nothing more");
      assertTrue(0 < stopped && stopped < service.index("order done"), service::output);
      assertTrue(service.index("Shutdown clean") > 0, service::output);
    }
  }

  /** Without the library the order is cut. */
  @Test
  @Tag("all")
  void sigterm_withoutTheLibrary_theOrderIsCut() throws Exception {
    try (Service service = start("source", "--lastcall.enabled=false")) {
      service.awaitLine("order begun");
      service.terminate();
      assertEquals(143, service.awaitExit(), service::output);
      assertEquals(0, service.count("order done"), service::output);
    }
  }

  /** None of them is lost: each is due again in another process. */
  @Test
  void sigterm_periodicTasksAreDueAfterDrain_isClean() throws Exception {
    try (Service service = start("late")) {
      service.awaitLine("all scheduled");
      service.awaitLine("Condition 'spring' of /readyz passes"); // start-up is over
      service.terminate();
      assertEquals(143, service.awaitExit(), service::output);
      assertTrue(service.index("Shutdown clean") > 0, service::output);
    }
  }

  @Test
  void sigterm_delayedTaskIsDueAfterDrain_isIncompleteAndNamesTheScheduler() throws Exception {
    try (Service service = start("late", "--test.retry=true")) {
      service.awaitLine("all scheduled");
      service.awaitLine("Condition 'spring' of /readyz passes"); // start-up is over
      service.terminate();
      assertEquals(80, service.awaitExit(), service::output);
      assertTrue(service.index("1 of work 'taskScheduler' came too late") > 0, service::output);
      assertEquals(0, service.count("retried"), service::output);
    }
  }
}
