package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.micrometer.ShutdownMetrics;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Registries that are closed at the end, where one of them fails. */
class SeveralRegistriesTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();

  @Test
  void closeAtEnd_firstOfTwoRegistriesHangs_theOtherIsClosedInTime() {
    assertClosedBesideAnotherThat(Harness::hang);
  }

  @Test
  void closeAtEnd_firstOfTwoRegistriesFails_theOtherIsClosed() {
    assertClosedBesideAnotherThat(
        () -> {
          throw new StackOverflowError("somebody's");
        });
  }

  private void assertClosedBesideAnotherThat(Runnable close) {
    harness.install();
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    ShutdownMetrics metrics = new ShutdownMetrics(harness.shutdown()).closeAtEnd();
    metrics.bindTo(
        new SimpleMeterRegistry() {
          @Override
          public void close() {
            close.run();
          }
        });
    metrics.bindTo(registry);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    Awaitility.await().until(registry::isClosed);
    // What hangs is waited for.
    harness.ticker.advanceTo(Duration.ofSeconds(16));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
  }
}
