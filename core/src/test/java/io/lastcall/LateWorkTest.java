package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.Connections.Registration;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.inflight.TestPermit;
import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.report.ShutdownReport.Outcome;
import io.lastcall.report.WorkReport;
import io.lastcall.time.Deadline;
import io.lastcall.work.LateTasks;
import io.lastcall.work.Work;
import io.lastcall.work.WorkRefusedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Work that begins as the process ends: it is done, or the outcome is not clean and names it. */
@Timeout(120)
class LateWorkTest {
  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final ExecutorService pool = Executors.newFixedThreadPool(2);
  private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);

  @AfterEach
  void endPools() {
    pool.shutdownNow();
    timer.shutdownNow();
  }

  private void assertEnds(int code, Outcome outcome, WorkReport work) {
    Ending ending = harness.jvm.awaitEnding();
    assertEquals(new Ending("exit", code), ending, harness.report()::summary);
    assertEquals(outcome, harness.report().outcome(), harness.report()::summary);
    assertEquals(List.of(work), harness.report().work());
  }

  private void assertProblem(String problem) {
    assertEquals(List.of(problem), harness.report().problems());
    assertTrue(harness.report().summary().contains(problem), harness.report()::summary);
  }

  /** The request was queued in the listener's backlog, and is accepted as the listener closes. */
  @Test
  void requestOfTheBacklog_itsTaskSubmitsAnother_bothAreDone() {
    CountDownLatch rendered = new CountDownLatch(1);
    CompletableFuture<Void> sent = new CompletableFuture<>();
    GracefulShutdown shutdown = harness.install();
    ExecutorService mails = shutdown.countedExecutor("mail", pool);
    FakeServer server =
        new FakeServer("web", harness) {
          @Override
          public void stopListening(Deadline deadline) {
            TestPermit late = harness.enter("POST /orders");
            var unused =
                CompletableFuture.runAsync(() -> Harness.await(rendered), mails)
                    .thenRunAsync(() -> sent.complete(null), mails);
            late.release();
            connectionsEnded.complete(null);
          }
        };
    shutdown.server(server);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.ticker.awaitParkedUntil(Harness.SEQUENCE, Duration.ofMillis(27_600));
    assertEquals(Phase.DRAIN, shutdown.phase().orElseThrow());
    rendered.countDown();
    assertEnds(0, Outcome.CLEAN, new WorkReport("mail", 2, 0, 0));
    assertTrue(sent.isDone());
  }

  /** An outbox: one task after the other, with nothing in progress in between. */
  @Test
  void stepOfDrain_submitsTasksOneByOne_allAreDone() {
    GracefulShutdown shutdown = harness.install();
    ExecutorService mails = shutdown.countedExecutor("mail", pool);
    List<CountDownLatch> pauses =
        List.of(new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1));
    shutdown.step(
        Phase.DRAIN,
        "flush the outbox",
        context -> {
          for (CountDownLatch pause : pauses) {
            mails.submit(() -> {}).get();
            harness.events.add("sent");
            Harness.await(pause);
          }
        });
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    for (int mail = 1; mail <= pauses.size(); mail++) {
      int sent = mail;
      Awaitility.await()
          .until(() -> harness.events.stream().filter("sent"::equals).count() == sent);
      harness.awaitSequence();
      assertTrue(shutdown.isIdle());
      assertEquals(Phase.DRAIN, shutdown.phase().orElseThrow());
      pauses.get(mail - 1).countDown();
    }
    assertEnds(0, Outcome.CLEAN, new WorkReport("mail", 3, 0, 0));
  }

  @Test
  void taskOfAStepOfDrain_outlivesDrain_isAbandonedAndInterrupted() {
    CountDownLatch interrupted = new CountDownLatch(1);
    GracefulShutdown shutdown = harness.install();
    ExecutorService mails = shutdown.countedExecutor("mail", pool);
    shutdown.step(Phase.DRAIN, "flush", context -> mails.execute(() -> endless(interrupted)));
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    Awaitility.await().until(() -> shutdown.work("mail").inProgress() == 1);
    harness.awaitSequence();
    harness.ticker.advanceTo(Duration.ofMillis(27_600));
    assertEnds(80, Outcome.INCOMPLETE, new WorkReport("mail", 0, 1, 0));
    Harness.await(interrupted);
  }

  private static void endless(CountDownLatch interrupted) {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interrupted.countDown();
    }
  }

  /** Its handler works on a counted executor, and has more to do once the connection is gone. */
  private final class Socket implements LongLivedConnection {
    final CountDownLatch answered = new CountDownLatch(1);
    final CountDownLatch saved = new CountDownLatch(1);
    private final ExecutorService handlers;
    private final Registration registration;

    Socket(ExecutorService handlers) {
      this.handlers = handlers;
      registration = harness.shutdown().connections().register(this);
    }

    @Override
    public String kind() {
      return "websocket";
    }

    @Override
    public void close() {
      handlers.execute(
          () -> {
            Harness.await(answered);
            registration.closed();
            handlers.execute(
                () -> {
                  Harness.await(saved);
                  harness.events.add("saved");
                });
          });
    }
  }

  /** To the moment at which it is told to close; pools close next. */
  private Socket terminateWithSocket() {
    return terminateWithSocket(pool);
  }

  private Socket terminateWithSocket(ExecutorService handlers) {
    harness
        .builder()
        .propagationDelay(Duration.ZERO)
        .step(Phase.CLOSE_CONNECTIONS, "pool", harness.event("close pool"));
    Socket socket = new Socket(harness.install().countedExecutor("chat", handlers));
    Harness.join(harness.jvm.raise("TERM"));
    harness.ticker.awaitParked("lastcall-closer");
    harness.ticker.advance(Duration.ofMillis(2));
    return socket;
  }

  @Test
  void webSocketsHandler_worksUntilItsConnectionIsClosedAndItsTasksAreDone() {
    Socket socket = terminateWithSocket();
    socket.answered.countDown();
    Awaitility.await().until(() -> harness.shutdown().connections().open() == 0);
    harness.awaitSequence();
    assertEquals(Phase.CLOSE_CONNECTIONS, harness.shutdown().phase().orElseThrow());
    socket.saved.countDown();
    assertEnds(0, Outcome.CLEAN, new WorkReport("chat", 2, 0, 0));
    List<String> events = List.copyOf(harness.events);
    assertTrue(events.indexOf("saved") < events.indexOf("close pool"), events::toString);
  }

  @Test
  void webSocketsHandler_doesNotEnd_isAbandonedBeforeThePoolsCloseAndNamed() {
    Socket socket = terminateWithSocket();
    socket.answered.countDown();
    Awaitility.await().until(() -> harness.shutdown().connections().open() == 0);
    harness.awaitSequence();
    harness.ticker.advance(Duration.ofSeconds(5));
    assertEnds(80, Outcome.INCOMPLETE, new WorkReport("chat", 1, 1, 0));
    assertFalse(harness.phase(Phase.CLOSE_CONNECTIONS).complete());
    assertTrue(harness.phase(Phase.DRAIN).complete());
    assertEquals(1, harness.report().unfinished().size());
    log.assertLogged("CLOSE_CONNECTIONS timed out; still in flight: 1 of work 'chat'");
  }

  /** As a ManagedExecutorService of Jakarta EE: its container alone may stop it. */
  private static final class Managed extends AbstractExecutorService {
    private final ExecutorService pool;

    Managed(ExecutorService pool) {
      this.pool = pool;
    }

    @Override
    public void execute(Runnable task) {
      pool.execute(task);
    }

    @Override
    public void shutdown() {
      throw new IllegalStateException("managed");
    }

    @Override
    public List<Runnable> shutdownNow() {
      throw new IllegalStateException("managed");
    }

    @Override
    public boolean isShutdown() {
      throw new IllegalStateException("managed");
    }

    @Override
    public boolean isTerminated() {
      throw new IllegalStateException("managed");
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) {
      throw new IllegalStateException("managed");
    }
  }

  @Test
  void executorThatCannotBeStopped_isNamedAndTheOthersAreInterrupted() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    GracefulShutdown shutdown = harness.install();
    shutdown
        .countedExecutor("chat", new Managed(pool))
        .execute(
            () -> {
              running.countDown();
              endless(new CountDownLatch(1));
            });
    shutdown.countedExecutor("mail", timer).execute(() -> endless(interrupted));
    Harness.await(running);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.pass(22_725);
    harness.pass(27_600);
    assertEquals(new Ending("exit", 80), harness.jvm.awaitEnding());
    Harness.await(interrupted);
    assertEquals(
        List.of(new WorkReport("chat", 0, 1, 0), new WorkReport("mail", 0, 1, 0)),
        harness.report().work());
    log.assertLogged("Executor 'chat' cannot be stopped: its tasks run on");
    assertFalse(log.text().contains("DRAIN failed"), log::text);
  }

  /** Whatever fails before them: the steps that close pools are the user's. */
  @Test
  void webSocketsHandler_runsWhereItCannotBeStopped_thePoolsCloseAllTheSame() {
    Socket socket = terminateWithSocket(new Managed(pool));
    socket.answered.countDown();
    Awaitility.await().until(() -> harness.shutdown().connections().open() == 0);
    harness.awaitSequence();
    harness.ticker.advance(Duration.ofSeconds(5));
    assertEnds(80, Outcome.INCOMPLETE, new WorkReport("chat", 1, 1, 0));
    assertTrue(harness.events.contains("close pool"), harness.events::toString);
    log.assertLogged("Executor 'chat' cannot be stopped: its tasks run on");
  }

  @Test
  void taskAfterDrain_isRefusedCountedAndNamed() {
    GracefulShutdown shutdown = harness.install();
    ExecutorService mails = shutdown.countedExecutor("mail", pool);
    shutdown.step(
        Phase.CLOSE_CONNECTIONS,
        "late",
        context -> {
          for (int i = 0; i < 3; i++) {
            assertThrows(RejectedExecutionException.class, () -> mails.execute(() -> {}));
          }
        });
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEnds(80, Outcome.INCOMPLETE, new WorkReport("mail", 0, 0, 3));
    assertProblem("3 of work 'mail' came too late or had no room, and never ran");
  }

  @Test
  void unitAfterDrain_isCountedToo() {
    GracefulShutdown shutdown = harness.install();
    Work mail = shutdown.work("mail");
    shutdown.step(
        Phase.EXIT,
        "late",
        context -> assertThrows(RejectedExecutionException.class, () -> mail.begin("order 1")));
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEnds(80, Outcome.INCOMPLETE, new WorkReport("mail", 0, 0, 1));
  }

  /** It waits behind something uncounted in its pool until DRAIN is over. */
  @Test
  void delayedTask_isDueAfterDrain_isCountedAndNamed() {
    CountDownLatch busy = new CountDownLatch(1);
    GracefulShutdown shutdown = harness.install();
    timer.execute(() -> Harness.await(busy));
    // Not configurable: nobody can see in it what is due.
    ScheduledExecutorService unseen = Executors.unconfigurableScheduledExecutorService(timer);
    var delayed =
        shutdown.countedScheduler("retries", unseen).schedule(() -> {}, 1, TimeUnit.NANOSECONDS);
    shutdown.step(
        Phase.CLOSE_CONNECTIONS,
        "its turn",
        context -> {
          busy.countDown();
          assertThrows(ExecutionException.class, delayed::get);
        });
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEnds(80, Outcome.INCOMPLETE, new WorkReport("retries", 0, 0, 1));
  }

  @Test
  void delayedTask_isDueInDrain_isAwaitedAlsoWhileConnectionsAreOpen() {
    GracefulShutdown shutdown = harness.install();
    FakeServer server = new FakeServer("web", harness);
    server.connections.add(harness.toldMore("a"));
    server.connectionsEnded.complete(null);
    shutdown.server(server);
    harness.enter("GET /").release();
    var delayed =
        shutdown.countedScheduler("retries", timer).schedule(() -> {}, 5, TimeUnit.SECONDS);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServingWithConnections();
    harness.awaitSequence();
    assertFalse(harness.events.contains("stop listening web"));
    assertTrue(delayed.cancel(false));
    harness.ticker.advanceTo(Duration.ofMillis(20_100));
    assertEnds(0, Outcome.CLEAN, new WorkReport("retries", 0, 0, 0));
  }

  /** In a pool that something uncounted keeps busy: the sequence must not look all the time. */
  @Test
  void delayedTask_isOverdue_isLookedForEveryTenMilliseconds() {
    CountDownLatch busy = new CountDownLatch(1);
    GracefulShutdown shutdown = harness.install();
    timer.execute(() -> Harness.await(busy));
    var delayed =
        shutdown.countedScheduler("retries", timer).schedule(() -> {}, 1, TimeUnit.NANOSECONDS);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.pass(15_010);
    harness.pass(15_020);
    harness.awaitSequenceUntil(15_030);
    busy.countDown();
    Harness.result(CompletableFuture.runAsync(() -> Awaitility.await().until(delayed::isDone)));
    harness.ticker.advanceTo(Duration.ofMillis(15_030));
    assertEnds(0, Outcome.CLEAN, new WorkReport("retries", 1, 0, 0));
  }

  @Test
  void lateTasksRejected_makeTheShutdownIncomplete() {
    ExecutorService mails = harness.install().countedExecutor("mail", pool, LateTasks.REJECT);
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequence();
    assertThrows(RejectedExecutionException.class, () -> mails.execute(() -> {}));
    harness.passKeepServing();
    assertEnds(80, Outcome.INCOMPLETE, new WorkReport("mail", 0, 0, 1));
  }

  @Test
  void refusal_thatItsCallerHandles_isNoLoss() {
    ExecutorService mails = harness.install().countedExecutor("mail", pool, LateTasks.REJECT);
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequence();
    var refused = assertThrows(WorkRefusedException.class, () -> mails.execute(() -> {}));
    refused.handled();
    refused.handled();
    harness.passKeepServing();
    assertEnds(0, Outcome.CLEAN, new WorkReport("mail", 0, 0, 0));
  }

  @Test
  void queueOfThousands_drainTimesOut_theNumberOfDroppedTasksIsTrue() {
    CountDownLatch running = new CountDownLatch(2);
    ExecutorService mails = harness.install().countedExecutor("mail", pool);
    for (int i = 0; i < 5_000; i++) {
      mails.execute(
          () -> {
            running.countDown();
            endless(new CountDownLatch(1));
          });
    }
    Harness.await(running);
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    harness.pass(22_725);
    harness.pass(27_600);
    assertEnds(80, Outcome.INCOMPLETE, new WorkReport("mail", 0, 5_000, 0));
    assertEquals(4_998, harness.report().droppedTasks().size());
  }

  @Test
  void poolThatDiscards_isToldAndWaitedForNoLonger() {
    assertDrops(new ThreadPoolExecutor.DiscardPolicy(), "DiscardPolicy");
  }

  @Test
  void poolThatDiscardsTheOldest_isToldAndWaitedForNoLonger() {
    assertDrops(new ThreadPoolExecutor.DiscardOldestPolicy(), "DiscardOldestPolicy");
  }

  /** Of five tasks one runs and one has room. */
  private void assertDrops(RejectedExecutionHandler policy, String name) {
    ThreadPoolExecutor full =
        new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), policy);
    CountDownLatch gate = new CountDownLatch(1);
    ExecutorService metrics = harness.install().countedExecutor("metrics", full);
    log.assertLogged("countedExecutor(metrics): its " + name + " drops tasks when it is full.");
    for (int i = 0; i < 5; i++) {
      metrics.execute(() -> Harness.await(gate));
    }
    assertEquals(2, harness.shutdown().work("metrics").inProgress());
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    metrics.execute(() -> Harness.await(gate));
    harness.passKeepServing();
    harness.awaitSequence();
    gate.countDown();
    assertEnds(80, Outcome.INCOMPLETE, new WorkReport("metrics", 2, 0, 1));
    full.shutdownNow();
  }

  @Test
  void taskThatItsUserTookBack_countsNeitherAsFinishedNorAsRefused() {
    CountDownLatch running = new CountDownLatch(1);
    GracefulShutdown shutdown = harness.install();
    ExecutorService mails = shutdown.countedExecutor("mail", Executors.newSingleThreadExecutor());
    Harness.join(harness.jvm.raise("TERM"));
    harness.awaitSequenceUntil(11_250);
    mails.execute(
        () -> {
          running.countDown();
          endless(new CountDownLatch(1));
        });
    mails.execute(() -> {});
    Harness.await(running);
    assertEquals(1, mails.shutdownNow().size());
    harness.passKeepServing();
    assertEnds(0, Outcome.CLEAN, new WorkReport("mail", 1, 0, 0));
  }
}
