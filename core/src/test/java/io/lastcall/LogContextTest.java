package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.phase.Phase;
import io.lastcall.process.LogContext;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.spi.MDCAdapter;

class LogContextTest {
  private final Harness harness = new Harness();
  private @Nullable MDCAdapter ordinary;

  /** The tests' logger has no context of its own. */
  @BeforeEach
  void useAContext() throws ReflectiveOperationException {
    ordinary = MDC.getMDCAdapter();
    setAdapter(new BasicMDCAdapter());
  }

  @AfterEach
  void restore() throws ReflectiveOperationException {
    setAdapter(Objects.requireNonNull(ordinary));
  }

  private static void setAdapter(MDCAdapter adapter) throws ReflectiveOperationException {
    var setter = MDC.class.getDeclaredMethod("setMDCAdapter", MDCAdapter.class);
    setter.setAccessible(true);
    setter.invoke(null, adapter);
  }

  @Test
  void step_runs_withTheContextOfWhoBeganAndOfWhoRegistered() {
    CompletableFuture<Map<String, String>> seen = new CompletableFuture<>();
    harness.install();
    MDC.put("component", "orders");
    MDC.put("tenant", "a");
    harness
        .shutdown()
        .step(Phase.DRAIN, "step", context -> seen.complete(MDC.getCopyOfContextMap()));
    MDC.clear();
    MDC.put("trace", "4711");
    MDC.put("tenant", "b");
    var unused = harness.shutdown().begin("over HTTP");
    MDC.clear();

    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertEquals(
        Map.of("component", "orders", "tenant", "a", "trace", "4711"), Harness.result(seen));
  }

  @Test
  void step_withoutAnyContext_runsWithoutOne() {
    CompletableFuture<LogContext> seen = new CompletableFuture<>();
    harness.install();
    harness.shutdown().step(Phase.DRAIN, "step", context -> seen.complete(LogContext.current()));
    Harness.join(harness.jvm.raise("TERM"));

    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertEquals(LogContext.NONE, Harness.result(seen));
  }
}
