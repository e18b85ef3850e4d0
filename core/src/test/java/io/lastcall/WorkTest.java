package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.report.StepReport.Result;
import io.lastcall.work.Job;
import io.lastcall.work.LateTasks;
import io.lastcall.work.Work;
import io.lastcall.work.WorkSource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

@Timeout(120)
class WorkTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final ExecutorService pool = Executors.newFixedThreadPool(1);

  @AfterEach
  void endPool() {
    pool.shutdownNow();
  }

  private class Consumer implements WorkSource {
    final CompletableFuture<Void> finished = new CompletableFuture<>();

    @Override
    public void stopTaking() {
      harness.events.add("stop taking");
    }

    @Override
    public CompletionStage<?> finished() {
      return finished;
    }

    @Override
    public boolean handBack() {
      harness.events.add("hand back");
      return true;
    }
  }

  private static void awaitInterrupt() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void unit_openInDrain_holdsItUntilItEnds() {
    Work.Unit unit = harness.install().work("mail").begin("order 4711");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.awaitSequence();
    assertEquals(Phase.DRAIN, harness.shutdown().phase().orElseThrow());
    unit.close();
    unit.close();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(1, harness.report().work().get(0).finished());
    assertEquals(0, harness.report().requests().served());
  }

  @Test
  void unit_outlivesDrain_isNamedAndTheShutdownIsIncomplete() {
    var unit = harness.install().work("mail").begin("order 4711");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.pass(22_725);
    harness.pass(27_600);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(1, harness.report().work().get(0).abandoned());
    assertEquals("mail: order 4711", harness.report().unfinished().get(0).description());
    unit.close();
  }

  @Test
  void begin_afterDrain_isRefusedByName() {
    Work mail = harness.install().work("mail");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.jvm.awaitEnding();
    var refused = assertThrows(RejectedExecutionException.class, () -> mail.begin("order 1"));
    assertEquals("Work 'mail': order 1 cannot begin, since DRAIN has ended", refused.getMessage());
  }

  @Test
  void source_isStoppedAtTheTriggerAndAwaitedInDrain() {
    Consumer consumer = new Consumer();
    harness.install().workSource("orders", consumer);
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    Awaitility.await().until(() -> harness.events.contains("stop taking"));
    harness.passKeepServing();
    harness.awaitSequence();
    assertEquals(Phase.DRAIN, harness.shutdown().phase().orElseThrow());
    consumer.finished.complete(null);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertFalse(harness.events.contains("hand back"));
    assertEquals(List.of("orders"), harness.report().finishedSources());
    log.assertLogged("abandoned 0 since the trigger; work sources finished: orders\n");
  }

  @Test
  void component_thatIsASource_isStoppedAndAwaitedUnderItsClassesName() {
    Consumer first = new Consumer();
    harness.builder().components(first);
    GracefulShutdown shutdown = harness.install();
    class Poller extends Consumer {}
    shutdown.components(new Poller());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    first.finished.complete(null);
    harness.pass(19_875);
    harness.pass(24_750);
    assertEquals(new Ending("exit", 75), harness.jvm.awaitEnding());
    assertEquals(List.of("Poller"), harness.report().handedBack());
    assertFalse(log.text().contains("@OnShutdown"), log::text);
  }

  @Test
  void components_severalSourcesOfAClass_haveNumbersInTheirNames() {
    List<Consumer> consumers = List.of(new Consumer(), new Consumer(), new Consumer());
    harness.builder().components(consumers.get(0), consumers.get(1));
    harness.install().components(consumers.get(2));
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    consumers.forEach(each -> each.finished.complete(null));
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(
        List.of("Consumer", "Consumer 2", "Consumer 3"), harness.report().finishedSources());
  }

  @Test
  void components_fieldThatIsASource_isStoppedAtTheTriggerAndAwaited() {
    Consumer mails = new Consumer();
    record Held(@OnShutdown(phase = Phase.KEEP_SERVING) WorkSource mails) {}
    class Service {
      @OnShutdown(phase = Phase.KEEP_SERVING, name = "orders")
      private final Consumer orders = new Consumer();
    }
    Service service = new Service();
    harness.builder().components(service, new Held(mails));
    harness.install();
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    service.orders.finished.complete(null);
    harness.awaitSequenceUntil(19_875); // DRAIN waits on, and so both have stopped
    assertEquals(2, harness.events.stream().filter("stop taking"::equals).count());
    assertEquals(Phase.DRAIN, harness.shutdown().phase().orElseThrow());
    mails.finished.complete(null);
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(List.of("Held.mails", "orders"), harness.report().finishedSources());
    assertFalse(log.text().contains("@OnShutdown"), log::text);
  }

  @Test
  void components_takenBack_areNeitherStoppedNorCalled() {
    class Taken extends Consumer {
      @OnShutdown(phase = Phase.DRAIN)
      void flush() {
        harness.events.add("flush");
      }
    }
    GracefulShutdown shutdown = harness.install();
    Taken taken = new Taken();
    shutdown.components(taken).remove();
    shutdown.components(taken, taken).remove();
    assertTrue(shutdown.isIdle());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertFalse(harness.events.contains("stop taking"));
    assertFalse(harness.events.contains("flush"));
    assertEquals(List.of(), harness.report().finishedSources());
  }

  @Test
  void source_neverFinishes_handsBackAndExitsWith75() {
    harness.install().workSource("orders", new Consumer());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.pass(19_875); // with something to hand back, the time to close is kept
    harness.pass(24_750);
    assertEquals(new Ending("exit", 75), harness.jvm.awaitEnding());
    assertTrue(harness.events.contains("hand back"));
    log.assertLogged("DRAIN timed out; still in flight:\n  work source 'orders'");
    assertEquals(List.of("orders"), harness.report().handedBack());
    assertEquals(List.of(), harness.report().finishedSources());
    assertEquals(Outcome.HANDED_BACK, harness.report().outcome());
    log.assertLogged("WARN GracefulShutdown - outcome=HANDED_BACK exit_code=75");
    log.assertLogged(
        "DRAIN incomplete: work was handed back; make its pieces smaller, or raise grace-period");
  }

  /** What was handed back is not done, although the source itself has nothing left to wait for. */
  @Test
  void source_handsBackAndSoFinishes_isNotAmongTheFinished() {
    Consumer orders =
        new Consumer() {
          @Override
          public boolean handBack() {
            finished.complete(null);
            return true;
          }
        };
    harness.install().workSource("orders", orders);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.pass(19_875);
    harness.pass(24_750);
    assertEquals(new Ending("exit", 75), harness.jvm.awaitEnding());
    assertEquals(List.of("orders"), harness.report().handedBack());
    assertEquals(List.of(), harness.report().finishedSources());
  }

  @Test
  void source_twoOfOneName_areRefused() {
    harness.install().workSource("orders", new Consumer());
    var refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> harness.shutdown().workSource("orders", new Consumer()));
    assertEquals(
        "workSource(orders): there is one of that name already; allowed: a name for each",
        refused.getMessage());
  }

  @Test
  void source_nullStage_isAFailedStepAndHoldsNothing() {
    harness
        .install()
        .workSource(
            "orders",
            new WorkSource() {
              @Override
              public void stopTaking() {}

              @Override
              @SuppressWarnings("NullAway") // the mistake
              public CompletionStage<?> finished() {
                return null;
              }
            });
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(
        List.of("work source 'orders' did not finish: finished() has returned null"),
        harness.report().problems());
  }

  /** A class is missing, after a deployment that was not complete. */
  @Test
  void source_finishedThrowsAnError_isAProblemAndHoldsNothing() {
    harness
        .install()
        .workSource(
            "orders",
            new Consumer() {
              @Override
              public CompletionStage<?> finished() {
                throw new NoClassDefFoundError("com/acme/Acknowledge");
              }
            });
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(
        List.of("work source 'orders' did not finish: com/acme/Acknowledge"),
        harness.report().problems());
    assertEquals(Duration.ofSeconds(15), harness.report().took());
  }

  @Test
  void source_stopTakingThrows_isRecordedAndStillAwaited() {
    Consumer consumer =
        new Consumer() {
          @Override
          public void stopTaking() {
            throw new IllegalStateException("the broker is gone");
          }
        };
    harness.install().workSource("orders", consumer);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.awaitSequence();
    consumer.finished.complete(null);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(Result.FAILED, harness.step("stop taking orders").result());
  }

  @Test
  void executor_queuedAndRunningTasks_areAwaited() {
    CountDownLatch gate = new CountDownLatch(1);
    ExecutorService tasks = harness.install().countedExecutor("mail", pool);
    tasks.execute(() -> Harness.await(gate));
    var second = tasks.submit(() -> "done");
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.awaitSequence();
    assertEquals(2, harness.shutdown().work("mail").inProgress());
    gate.countDown();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertTrue(second.isDone());
    assertEquals(2, harness.report().work().get(0).finished());
  }

  @Test
  void executor_taskOutlivesDrain_isInterruptedAndTheQueueIsNamed() {
    CountDownLatch interrupted = new CountDownLatch(1);
    ExecutorService tasks = harness.install().countedExecutor("mail", pool);
    tasks.execute(
        () -> {
          awaitInterrupt();
          interrupted.countDown();
        });
    var waits = tasks.submit(new Dropped());
    AtomicInteger asked = new AtomicInteger();
    tasks.execute(new FutureTask<>(new Expensive(asked), "")); // as Spring's executors do
    assertEquals(0, asked.get());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.pass(22_725);
    harness.pass(27_600);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    Harness.await(interrupted);
    String dropped = "mail: " + Dropped.class.getName();
    String expensive = "mail: " + Expensive.class.getName();
    assertEquals(List.of(dropped, expensive), harness.report().droppedTasks());
    assertFalse(waits.isDone());
  }

  /** Its text is not for each submission: a report asks for it. */
  private record Expensive(AtomicInteger asked) implements Runnable {
    @Override
    public void run() {}

    @Override
    public String toString() {
      asked.incrementAndGet();
      return getClass().getName() + "[every order]";
    }
  }

  private static final class Dropped implements Runnable {
    @Override
    public void run() {
      throw new AssertionError("dropped tasks do not run");
    }
  }

  @Test
  void executor_lateTasksRejected_refusesByName() {
    ExecutorService tasks = harness.install().countedExecutor("mail", pool, LateTasks.REJECT);
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequence();
    var refused = assertThrows(RejectedExecutionException.class, () -> tasks.execute(() -> {}));
    assertEquals(
        "Executor 'mail' takes no task any more: the shutdown has begun", refused.getMessage());
  }

  @Test
  void executor_itsDelegateRefuses_countsNothing() {
    ExecutorService tasks = harness.install().countedExecutor("mail", pool);
    pool.shutdown();
    assertThrows(RejectedExecutionException.class, () -> tasks.execute(() -> {}));
    assertEquals(0, harness.shutdown().work("mail").inProgress());
  }

  @Test
  void executor_shutDownNowByItsUser_returnsTheTasksAndCountsThemNoMore() {
    CountDownLatch running = new CountDownLatch(1);
    ExecutorService tasks = harness.install().countedExecutor("mail", pool);
    tasks.execute(
        () -> {
          running.countDown();
          awaitInterrupt();
        });
    Runnable waiting = () -> {};
    tasks.execute(waiting);
    Harness.await(running);
    assertEquals(List.of(waiting), tasks.shutdownNow());
    Awaitility.await().until(() -> harness.shutdown().work("mail").inProgress() == 0);
  }

  @Test
  void scheduler_periodicTask_doesNotRunAfterTheTrigger() throws Exception {
    ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(1);
    try {
      CountDownLatch ranTwice = new CountDownLatch(2);
      ScheduledExecutorService tasks = harness.install().countedScheduler("cron", scheduler);
      var periodic =
          tasks.scheduleAtFixedRate(
              () -> {
                harness.events.add("tick");
                ranTwice.countDown();
              },
              0,
              1,
              TimeUnit.MILLISECONDS);
      assertTrue(ranTwice.await(60, TimeUnit.SECONDS));
      Harness.join(harness.jvm.raise("TERM"));
      harness.awaitSequence();
      Awaitility.await().until(() -> harness.shutdown().work("cron").inProgress() == 0);
      long ticks = ticks();
      scheduler.submit(() -> {}).get(60, TimeUnit.SECONDS);
      scheduler.schedule(() -> {}, 20, TimeUnit.MILLISECONDS).get(60, TimeUnit.SECONDS);
      assertEquals(ticks, ticks());
      assertFalse(periodic.isDone());
    } finally {
      scheduler.shutdownNow();
    }
  }

  private long ticks() {
    return harness.events.stream().filter("tick"::equals).count();
  }

  @Test
  void job_seesTheStopAndHandsBack_exitsWith75() throws Exception {
    harness.install();
    CountDownLatch stopped = new CountDownLatch(1);
    pool.execute(
        () -> {
          try (Job job = harness.shutdown().beginJob("transcode 42")) {
            job.progress(0.4, "frame 1200");
            harness.events.add("job open");
            Awaitility.await().until(job::stopRequested);
            job.handBack(() -> harness.events.add("released"));
            job.handBack(() -> harness.events.add("released"));
            stopped.countDown();
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    Awaitility.await().until(() -> harness.events.contains("job open"));
    Harness.join(harness.jvm.raise("TERM"));
    assertTrue(stopped.await(60, TimeUnit.SECONDS));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 75), harness.jvm.awaitEnding());
    assertEquals(Outcome.HANDED_BACK, harness.report().outcome());
    log.assertLogged("INFO GracefulShutdown - outcome=HANDED_BACK exit_code=75");
    log.assertLogged("Shutdown with work handed back after 15000 ms (SIGTERM), exit code 75");
    log.assertLogged(
        "handed back, for another process to go on with: transcode 42, 40 %: frame 1200");
    assertEquals(1, harness.events.stream().filter("released"::equals).count());
    assertEquals(List.of("transcode 42, 40 %: frame 1200"), harness.report().handedBack());
  }

  @Test
  void job_outlivesDrain_isHandedBackBeforeItIsInterrupted() {
    harness.install();
    CountDownLatch interrupted = new CountDownLatch(1);
    pool.execute(
        () -> {
          Job job = harness.shutdown().beginJob("transcode 42");
          job.handBackAtTimeUp(() -> harness.events.add("released"));
          harness.events.add("job open");
          awaitInterrupt();
          harness.events.add("interrupted");
          interrupted.countDown();
        });
    Awaitility.await().until(() -> harness.events.contains("job open"));
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.pass(19_875); // with something to hand back, the time to close is kept
    harness.pass(24_750);
    assertEquals(new Ending("exit", 75), harness.jvm.awaitEnding());
    Harness.await(interrupted);
    List<String> events = List.copyOf(harness.events);
    assertTrue(events.indexOf("released") < events.indexOf("interrupted"), events::toString);
  }

  @Test
  void job_handBackFails_isIncompleteAndSaysSo() {
    Job job = harness.install().beginJob("transcode 42");
    Harness.join(harness.jvm.raise("TERM"));
    Job.HandBack failing =
        () -> {
          throw new IOException("the queue is gone");
        };
    assertThrows(IOException.class, () -> job.handBack(failing));
    job.close();
    harness.passKeepServing();
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    assertEquals(
        List.of("job 'transcode 42' was not handed back: the queue is gone"),
        harness.report().problems());
  }

  @Test
  void isIdle_whileAUnitOrARequestIsOpen_isFalse() {
    harness.install();
    assertTrue(harness.shutdown().isIdle());
    Work.Unit unit = harness.shutdown().work("mail").begin("order 4711");
    assertFalse(harness.shutdown().isIdle());
    unit.close();
    var request = harness.enter("GET /");
    assertFalse(harness.shutdown().isIdle());
    request.release();
    assertTrue(harness.shutdown().isIdle());
  }
}
