package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.test.TestShutdown;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OrderServiceTest {
  static final class OrderService {
    @OnShutdown(phase = Phase.KEEP_SERVING, name = "deregister")
    void deregister() {}

    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS, name = "close pool", timeout = "2s")
    void closePool() {}
  }

  @Test
  void sigterm_keepsThePoolUntilTheDrainIsOver() {
    try (TestShutdown test =
        TestShutdown.install(
            builder ->
                builder
                    .gracePeriod(Duration.ofSeconds(30))
                    .propagationDelay(Duration.ofSeconds(15))
                    .components(new OrderService()))) {
      test.signal("TERM");
      test.advanceTo(Duration.ofSeconds(12));
      assertEquals(List.of("deregister"), test.ran());

      ShutdownReport report = test.finish();
      assertEquals(List.of("deregister", "close pool"), test.ran());
      assertEquals(Outcome.CLEAN, report.outcome());
      assertEquals(Duration.ofSeconds(15), test.elapsed());
    }
  }
}
