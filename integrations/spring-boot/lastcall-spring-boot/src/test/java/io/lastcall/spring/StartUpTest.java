package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A stop signal while the application starts: Spring's own hook waits for the start-up's end. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
@Tag("all")
class StartUpTest {
  @Test
  void sigterm_whileAMigrationRuns_theMigrationEndsAndTheExitIs143() throws Exception {
    try (Service service = Service.start("--test.migrates=true", "--lastcall.grace-period=90s")) {
      service.awaitLine("migration began");
      service.terminate();
      String line = service.awaitLine("SIGTERM before start-up was over");
      assertTrue(line.contains("Exit 143 once JVM hooks have ended, which may wait"), line);
      service.goOn();
      assertEquals(143, service.awaitExit(), service::output);
      service.awaitLine("migration ended");
      assertEquals(-1, service.index("start-up or a JVM hook hangs"), service::output);
    }
  }

  /** Its runner never returns, so Spring Boot's start-up never ends. */
  @Test
  void sigterm_runnerWorksForEverAndHasSaidReady_isDrainedAsAnyService() throws Exception {
    try (Service service =
        Service.start("--test.runner-works=true", "--lastcall.propagation-delay=0s")) {
      int port = service.port();
      assertTrue(service.index("runner works") >= 0, service::output);
      var slow = service.get(port, "/slow");
      service.awaitLine("slow began");
      service.terminate();
      assertEquals("slow", slow.get(60, TimeUnit.SECONDS).body());
      assertEquals(0, service.awaitExit(), service::output);
      service.awaitLine("Shutdown clean");
    }
  }

  /** Without a server no bean of ours is asked for before those of the application. */
  @Test
  void sigterm_whileAMigrationHangs_isHaltedAtTheDeadlineAndTheMigrationIsNamed() throws Exception {
    try (Service service =
        Service.start(
            "--test.migrates=true",
            "--spring.main.web-application-type=none",
            "--lastcall.grace-period=8s",
            "--lastcall.propagation-delay=0s")) {
      service.awaitLine("migration began");
      service.terminate();
      assertEquals(81, service.awaitExit(), service::output);
      int late = service.index("start-up or a JVM hook hangs; still running:");
      int main = service.index("thread main:");
      int migration = service.index("TestApplication$Migration.afterPropertiesSet");
      assertTrue(0 <= late && late < main && main < migration, service::output);
    }
  }
}
