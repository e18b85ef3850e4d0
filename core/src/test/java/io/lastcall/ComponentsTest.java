package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.component.Components;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepContext;
import io.lastcall.phase.Trigger;
import io.lastcall.process.CapturedLog;
import io.lastcall.testing.Background;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@SuppressWarnings({
  "unused",
  "UnusedMethod",
  "UnusedVariable",
  "UnnecessaryLambda"
}) // found by reflection
class ComponentsTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final List<String> calls = new ArrayList<>();

  @Test
  void steps_ofAnnotatedMethods_carryPhaseOrderTimeoutAndName() {
    class Orders {
      @OnShutdown(phase = Phase.DRAIN, timeout = "1m30s")
      void stopConsumers() {}

      @OnShutdown(phase = Phase.CLOSE_CONNECTIONS, order = 10, name = "pool")
      void closePool() {}
    }
    List<Step> steps = sorted(Components.steps(new Orders()));
    assertEquals("Orders.stopConsumers", steps.get(0).name());
    assertEquals(Optional.of(Duration.ofSeconds(90)), steps.get(0).timeout());
    assertEquals(0, steps.get(0).order());
    assertEquals(Phase.CLOSE_CONNECTIONS, steps.get(1).phase());
    assertEquals("pool", steps.get(1).name());
    assertEquals(10, steps.get(1).order());
    assertEquals(Optional.empty(), steps.get(1).timeout());
  }

  @Test
  void add_sameComponentAgain_isStoppedOnce() {
    record Pool(List<String> calls, String name) {
      @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
      void close() {
        calls.add(name);
      }
    }
    List<String> closed = Collections.synchronizedList(calls);
    Pool early = new Pool(closed, "early");
    Pool late = new Pool(closed, "late");
    Pool equal = new Pool(closed, "late");
    Harness harness = new Harness();
    harness.builder().components(early, early);
    GracefulShutdown shutdown = harness.install();
    shutdown.components(early, late, equal);
    shutdown.components(late);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    assertEquals(List.of("early", "late", "late"), closed.stream().sorted().toList());
  }

  @Test
  void run_methodWithContext_isGivenPhaseReasonAndDeadline() throws Exception {
    class Consumer {
      @OnShutdown(phase = Phase.DRAIN)
      private void stop(StepContext context) {
        calls.add(context.phase() + " " + context.trigger().reason());
      }
    }
    run(new Consumer());
    assertEquals(List.of("DRAIN SIGTERM"), calls);
  }

  @Test
  void run_stageReturningMethod_isAwaited() throws Exception {
    CompletableFuture<String> stopped = new CompletableFuture<>();
    class Consumer {
      @OnShutdown(phase = Phase.DRAIN)
      CompletionStage<String> stop() {
        return stopped;
      }
    }
    Step step = only(new Consumer());
    Background<Boolean> run = running(step);
    Awaitility.await().until(() -> run.thread().getState() == Thread.State.TIMED_WAITING);
    stopped.complete("stopped");
    assertTrue(run.result());
  }

  @Test
  void run_stageThatFails_failsTheStepWithItsCause() {
    class Consumer {
      @OnShutdown(phase = Phase.DRAIN)
      CompletionStage<String> stop() {
        return CompletableFuture.failedFuture(new IllegalStateException("broker gone"));
      }
    }
    Exception failure = assertThrows(IllegalStateException.class, () -> run(new Consumer()));
    assertEquals("broker gone", failure.getMessage());
  }

  @Test
  void run_dependentStageThatFails_failsTheStepWithTheFirstCause() {
    class Consumer {
      @OnShutdown(phase = Phase.DRAIN)
      CompletionStage<String> stop() {
        CompletableFuture<String> failed =
            CompletableFuture.failedFuture(new IllegalStateException("broker gone"));
        return failed.thenApply(String::trim).minimalCompletionStage();
      }
    }
    Exception failure = assertThrows(IllegalStateException.class, () -> run(new Consumer()));
    assertEquals("broker gone", failure.getMessage());
  }

  @Test
  void run_stageThatIsLate_failsTheStepAtItsDeadline() {
    class Consumer {
      @OnShutdown(phase = Phase.DRAIN)
      CompletionStage<String> stop() {
        return new CompletableFuture<>();
      }
    }
    Step step = only(new Consumer());
    Exception failure =
        assertThrows(TimeoutException.class, () -> step.action().run(context(Duration.ZERO)));
    assertEquals(
        "The CompletionStage is not complete at the step's deadline", failure.getMessage());
  }

  @Test
  void run_methodThatThrowsAnError_failsTheStepWithIt() {
    class Pool {
      @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
      void close() {
        throw new NoClassDefFoundError("driver/Connection");
      }
    }
    assertThrows(NoClassDefFoundError.class, () -> run(new Pool()));
  }

  @Test
  void run_methodThatThrows_failsTheStepWithItsException() {
    class Pool {
      @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
      void close() throws TimeoutException {
        throw new TimeoutException("pool busy");
      }
    }
    Exception failure = assertThrows(TimeoutException.class, () -> run(new Pool()));
    assertEquals("pool busy", failure.getMessage());
  }

  @Test
  void run_closeableField_isClosed() throws Exception {
    class Pools {
      @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
      private final AutoCloseable pool = () -> calls.add("closed");
    }
    run(new Pools());
    assertEquals(List.of("closed"), calls);
    assertFalse(log.text().contains("WARN"), log::text);
  }

  @Test
  void run_fieldThatIsNull_isCompletedWithAWarning() throws Exception {
    class Pools {
      @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
      private @Nullable AutoCloseable pool;
    }
    run(new Pools());
    log.assertLogged(
        "WARN GracefulShutdown - @OnShutdown on "
            + Pools.class.getName()
            + ".pool: it is null, nothing is closed");
  }

  @Test
  void components_withoutAnAnnotatedMember_areWarnedOf() {
    class Plain {}
    Harness harness = new Harness();
    harness.builder().components(new Plain());
    String warning =
        "WARN GracefulShutdown - component %s has no member with @OnShutdown: nothing"
                .formatted(Plain.class.getName())
            + " will be called";
    log.assertLogged(warning);
    GracefulShutdown shutdown = harness.install();
    shutdown.components(new Plain());
    assertEquals(3, log.text().split(Pattern.quote(warning), -1).length);
    shutdown.uninstall();
  }

  @Test
  void components_withSettingsAlone_areNotWarnedOf() {
    @ShutdownSettings(drainTimeout = "5s")
    class Settings {}
    new Harness().builder().components(new Settings());
    assertFalse(log.text().contains("WARN"), log::text);
  }

  @Test
  void run_closeableAccessor_isClosed() throws Exception {
    class Pools {
      @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
      AutoCloseable pool() {
        return () -> calls.add("closed");
      }
    }
    run(new Pools());
    assertEquals(List.of("closed"), calls);
  }

  @Test
  void run_executorField_isShutDownAndItsTasksAwaited() throws Exception {
    CountDownLatch taskMayEnd = new CountDownLatch(1);
    class Workers {
      @OnShutdown(phase = Phase.DRAIN)
      final ExecutorService executor = Executors.newSingleThreadExecutor();
    }
    Workers workers = new Workers();
    workers.executor.execute(
        () -> {
          await(taskMayEnd);
          calls.add("task ended");
        });
    Background<Boolean> run = running(only(workers));
    Awaitility.await().until(() -> run.thread().getState() == Thread.State.TIMED_WAITING);
    taskMayEnd.countDown();
    assertTrue(run.result());
    assertTrue(workers.executor.isTerminated());
    assertEquals(List.of("task ended"), calls);
  }

  @Test
  void run_executorStillBusyAtTheDeadline_isInterruptedAndTheStepFails() {
    CountDownLatch never = new CountDownLatch(1);
    class Workers {
      @OnShutdown(phase = Phase.DRAIN)
      final ExecutorService executor = Executors.newSingleThreadExecutor();
    }
    Workers workers = new Workers();
    workers.executor.execute(() -> await(never));
    Step step = only(workers);
    assertThrows(TimeoutException.class, () -> step.action().run(context(Duration.ZERO)));
    assertTrue(workers.executor.isShutdown());
  }

  @Test
  void run_scheduledExecutorWithATaskBehindTheDeadline_awaitsTheOthersOnly() throws Exception {
    class Workers {
      @OnShutdown(phase = Phase.DRAIN)
      final ScheduledExecutorService executor = new ScheduledThreadPoolExecutor(1);
    }
    Workers workers = new Workers();
    Future<?> late = workers.executor.schedule(() -> calls.add("late"), 1, TimeUnit.HOURS);
    Future<?> soon = workers.executor.schedule(() -> calls.add("soon"), 50, TimeUnit.MILLISECONDS);
    run(workers);
    assertTrue(workers.executor.isTerminated());
    assertTrue(late.isCancelled());
    assertTrue(soon.isDone());
    assertEquals(List.of("soon"), calls);
  }

  @Test
  void run_commonPool_isAwaitedUntilItIsIdle() throws Exception {
    class Workers {
      @OnShutdown(phase = Phase.DRAIN)
      final ExecutorService executor = ForkJoinPool.commonPool();
    }
    Workers workers = new Workers();
    workers.executor.execute(() -> calls.add("task ended"));
    run(workers);
    assertEquals(List.of("task ended"), calls);
  }

  @Test
  void steps_ofInheritedAndInterfaceMethods_areFoundOnce() throws Exception {
    interface Leaves {
      @OnShutdown(phase = Phase.KEEP_SERVING)
      void leave();
    }
    class Base {
      @OnShutdown(phase = Phase.DRAIN)
      void stop() {
        calls.add("base");
      }
    }
    class Derived extends Base implements Leaves {
      @Override
      public void leave() {
        calls.add("left");
      }

      @Override
      @OnShutdown(phase = Phase.EXIT)
      void stop() {
        calls.add("derived");
      }
    }
    List<Step> steps = sorted(Components.steps(new Derived()));
    assertEquals(List.of(Phase.KEEP_SERVING, Phase.EXIT), steps.stream().map(Step::phase).toList());
    run(new Derived());
    assertEquals(List.of("derived", "left"), calls.stream().sorted().toList());
  }

  @Test
  void components_collectionInPlaceOfItsElements_isRefused() {
    GracefulShutdownBuilder builder = new Harness().builder();
    Exception refusal =
        assertThrows(
            IllegalArgumentException.class, () -> builder.components(new ArrayList<Object>()));
    assertEquals(
        "components(java.util.ArrayList) has no steps of its own; allowed: its elements, as in"
            + " components(a, b)",
        refusal.getMessage());
  }

  @Test
  void steps_ofARecord_areFound() throws Exception {
    record Pool(List<String> log) {
      @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
      void close() {
        log.add("closed");
      }
    }
    run(new Pool(calls));
    assertEquals(List.of("closed"), calls);
  }

  private static Step only(Object component) {
    List<Step> steps = Components.steps(component);
    assertEquals(1, steps.size());
    return steps.get(0);
  }

  private static void run(Object component) throws Exception {
    for (Step step : Components.steps(component)) {
      step.action().run(context(LONG));
    }
  }

  private static Background<Boolean> running(Step step) {
    return Background.run(
        () -> {
          step.action().run(context(LONG));
          return true;
        });
  }

  private static void assertCompletes(Step step) {
    try {
      step.action().run(context(LONG));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static StepContext context(Duration timeout) {
    Trigger trigger = new Trigger(Trigger.Kind.STOP_SIGNAL, "SIGTERM");
    return new StepContext(Phase.DRAIN, trigger, Deadline.after(timeout, Ticker.system()));
  }

  private static List<Step> sorted(List<Step> steps) {
    return steps.stream().sorted(Comparator.comparing(Step::phase)).toList();
  }
}
