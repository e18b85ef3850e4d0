package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;

/** Standard output is a full pipe that nothing reads, as where a log collector has died. */
@Timeout(600)
@Execution(ExecutionMode.CONCURRENT)
class BlockedOutputTest {
  /** Of 64 KiB (Linux: pipe(7)); a page may be partly filled. */
  private static final int FULL = 57_344;

  /** Logs as it ends, as applications do; once it is ready, nothing more fits into the pipe. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static final class Application
      implements ApplicationListener<ApplicationReadyEvent>, DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(Application.class);

    public static void main(String[] arguments) {
      SpringApplication.run(Application.class, arguments);
    }

    /** Not by a thread of its own, which the end of the process would cut. */
    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
      try {
        var unused = new ProcessBuilder("cat", "/dev/zero").inheritIO().start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void destroy() {
      log.info("The application ends");
    }
  }

  @Test
  void sigterm_logbackCannotWrite_theContextClosesAndTheExitIsOnTime(@TempDir Path folder)
      throws Exception {
    Path report = folder.resolve("report.json");
    Process process =
        Service.startUnread(
            Application.class,
            "--lastcall.grace-period=20s",
            "--lastcall.propagation-delay=0s",
            "--lastcall.report-file=" + report);
    try {
      InputStream output = process.getInputStream();
      Awaitility.await()
          .atMost(Service.PATIENCE)
          .until(() -> !process.isAlive() || output.available() > FULL);
      process.toHandle().destroy();
      assertTrue(process.waitFor(90, TimeUnit.SECONDS));
      String left = Files.readString(report);
      assertEquals(0, process.exitValue(), left);
      assertTrue(left.contains("\"outcome\":\"CLEAN\""), left);
    } finally {
      process.destroyForcibly();
    }
  }
}
