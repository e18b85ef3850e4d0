package io.lastcall.faults.subject;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.work.Job;
import io.lastcall.work.WorkRefusedException;
import io.lastcall.work.WorkSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Work of the process that is no request, as {@code work=NAME} has it. */
final class WorkSubject {
  private static final Duration PIECE = Duration.ofMillis(500);
  private static final int PIECES = 3;

  private final GracefulShutdown shutdown;
  private final Control control;

  WorkSubject(GracefulShutdown shutdown, Control control) {
    this.shutdown = shutdown;
    this.control = control;
  }

  void begin(List<String> names) throws Exception {
    for (String name : names) {
      begin(name);
    }
  }

  private void begin(String name) throws Exception {
    switch (name) {
      case "flush" -> step(Phase.DRAIN, counted(), WorkSubject::flush);
      case "late" -> step(Phase.EXIT, counted(), this::submitLate);
      case "discard" -> step(Phase.KEEP_SERVING, discarding(), WorkSubject::submitMany);
      case "long" -> step(Phase.KEEP_SERVING, oneByOne(), WorkSubject::submitLong);
      case "delayed" -> delayed();
      case "job" -> job();
      case "source" -> shutdown.workSource("orders", new Orders(false));
      case "source-error" -> shutdown.workSource("orders", new Orders(true));
      default -> throw new IllegalArgumentException("work=" + name);
    }
  }

  /** What a step or a request does with an executor. */
  private interface Use {
    void run(ExecutorService executor) throws Exception;
  }

  private void step(Phase phase, ExecutorService executor, Use use) {
    shutdown.step(phase, "outbox", context -> use.run(executor));
  }

  private ExecutorService counted() {
    return shutdown.countedExecutor("mail", Executors.newCachedThreadPool());
  }

  private ExecutorService oneByOne() {
    return shutdown.countedExecutor("mail", Executors.newSingleThreadExecutor());
  }

  /** Room for a task that runs and one that waits. */
  private ExecutorService discarding() {
    return shutdown.countedExecutor(
        "mail",
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(1),
            new ThreadPoolExecutor.DiscardPolicy()));
  }

  private static void piece() {
    Act.pause(PIECE);
  }

  /** One piece after the other, as an outbox is sent, with a pause in which nothing runs. */
  private static void flush(ExecutorService mail) throws InterruptedException, ExecutionException {
    for (int piece = 0; piece < PIECES; piece++) {
      mail.submit(WorkSubject::piece).get();
      piece();
    }
  }

  /** The step itself takes no harm: the executor's count alone knows of the loss. */
  private void submitLate(ExecutorService mail) {
    for (int piece = 0; piece < PIECES; piece++) {
      try {
        mail.execute(WorkSubject::piece);
      } catch (WorkRefusedException e) {
        control.say("refused: " + e.getMessage());
      }
    }
  }

  private static void submitMany(ExecutorService mail) {
    for (int piece = 0; piece < PIECES + 2; piece++) {
      mail.execute(WorkSubject::piece);
    }
  }

  private static void submitLong(ExecutorService mail) {
    for (int piece = 0; piece < PIECES; piece++) {
      mail.execute(Act.HANG::run);
    }
  }

  /** Each call submits a task, which submits another at its end. */
  static Runnable chain(GracefulShutdown shutdown) {
    ExecutorService mail = shutdown.countedExecutor("chain", Executors.newCachedThreadPool());
    return () ->
        mail.execute(
            () -> {
              piece();
              mail.execute(WorkSubject::piece);
            });
  }

  /** A task that is due in the middle of DRAIN. */
  private void delayed() {
    ScheduledExecutorService timer =
        shutdown.countedScheduler("reminders", Executors.newScheduledThreadPool(1));
    shutdown.step(
        Phase.KEEP_SERVING,
        "remind",
        context -> timer.schedule(WorkSubject::piece, PIECES, TimeUnit.SECONDS));
  }

  /** On the thread that starts the process, as a runner of Spring Boot. */
  private void job() throws Exception {
    try (Job job = shutdown.beginJob("export")) {
      control.say("job begun");
      while (!job.stopRequested()) {
        Act.pause(Duration.ofMillis(10));
      }
      job.handBack(() -> control.say("saved"));
    }
    new CountDownLatch(1).await();
  }

  /** A consumer with one order, which it finishes once it was told to take no other. */
  private static final class Orders implements WorkSource {
    private final boolean broken;

    Orders(boolean broken) {
      this.broken = broken;
    }

    @Override
    public void stopTaking() {}

    @Override
    public CompletionStage<?> finished() {
      if (broken) {
        throw new AssertionError("the order's state is broken");
      }
      return CompletableFuture.runAsync(WorkSubject::piece);
    }
  }
}
