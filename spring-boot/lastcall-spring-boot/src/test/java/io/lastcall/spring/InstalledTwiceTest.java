package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.GracefulShutdown;
import io.lastcall.spring.service.TestApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.boot.SpringApplication;
import org.springframework.context.annotation.Bean;

/** The starter, and an {@code install()} of the application's own. */
@Timeout(180)
@Execution(ExecutionMode.CONCURRENT)
class InstalledTwiceTest {
  @Test
  void mainInstalledFirst_isExplainedWithoutAStackTrace() throws Exception {
    assertExplained(InstallsFirst.class, "install() of the application's own (before the context");
  }

  @Test
  void beanInstallsLater_isExplainedAndTheBeanIsNamed() throws Exception {
    assertExplained(
        InstallsLater.class, "(io.lastcall.spring.InstalledTwiceTest$InstallsLater.own");
  }

  private static void assertExplained(Class<?> application, String ownInstall) throws Exception {
    try (Service service = Service.start(application, "--spring.main.web-application-type=none")) {
      assertEquals(1, service.awaitExit(), service::output);
      int failed = service.index("APPLICATION FAILED TO START");
      int own = service.index(ownInstall);
      int action = service.index("Remove the application's install()");
      assertTrue(0 <= failed && failed < own && own < action, service::output);
      assertEquals(-1, service.index("\tat "), service::output);
    }
  }

  /** Without the starter this would be right. */
  static final class InstallsFirst {
    /** Runs it. */
    public static void main(String[] arguments) {
      GracefulShutdown.builder().awaitStarted().install();
      SpringApplication.run(TestApplication.class, arguments);
    }
  }

  /** As somebody writes it who does not know that the starter has done so. */
  static final class InstallsLater {
    /** Runs it. */
    public static void main(String[] arguments) {
      SpringApplication.run(new Class<?>[] {TestApplication.class, InstallsLater.class}, arguments);
    }

    @Bean
    GracefulShutdown own() {
      return GracefulShutdown.builder().awaitStarted().install();
    }
  }
}
