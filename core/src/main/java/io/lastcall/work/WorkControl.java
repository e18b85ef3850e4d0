package io.lastcall.work;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.report.WorkReport;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All work of a process that is not a request, and the sequence's end of it. Applications reach it
 * through {@code GracefulShutdown}. Thread-safe.
 */
public final class WorkControl {
  private static final Duration AGAIN = Duration.ofMillis(1);

  private final Ticker ticker;
  private final Works works;
  private final Map<String, Source> sources = new ConcurrentSkipListMap<>();
  private final Map<String, CountedExecutor> executors = new ConcurrentSkipListMap<>();
  private final Set<Job> open = ConcurrentHashMap.newKeySet();
  private final List<String> handedBack = new CopyOnWriteArrayList<>();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final List<String> dropped = new CopyOnWriteArrayList<>();
  private volatile @Nullable Deadline deadline;
  private volatile @Nullable Thread waiter;

  /** Creates one without any work. */
  public WorkControl(Ticker ticker) {
    this.ticker = ticker;
    works = new Works(ticker);
  }

  /** Returns the work of a name: one and the same for each call. */
  public Work work(String name) {
    return works.get(name);
  }

  /**
   * Calls {@code listener} for each work there is, and for each new one on the thread that makes
   * it; rarely twice for one. What it throws is logged.
   */
  public void onWork(Consumer<Work> listener) {
    works.onWork(listener);
  }

  /**
   * Adds a source.
   *
   * @return takes it back
   * @throws IllegalArgumentException if the name is taken
   */
  public Runnable source(String name, WorkSource source) {
    Objects.requireNonNull(source, "source must not be null");
    Source added = new Source(named(name), source, this::wake);
    if (sources.putIfAbsent(name, added) != null) {
      throw taken("workSource", name);
    }
    return () -> sources.remove(name, added);
  }

  /**
   * Returns an executor whose tasks are counted.
   *
   * @throws IllegalArgumentException if the name is taken
   */
  public ExecutorService executor(String name, ExecutorService delegate, LateTasks late) {
    Objects.requireNonNull(delegate, "delegate must not be null");
    Objects.requireNonNull(late, "late must not be null");
    return add(name, new CountedExecutor(delegate, work(name), this, late));
  }

  /** As {@link #executor}, for a scheduler. */
  public ScheduledExecutorService scheduler(String name, ScheduledExecutorService delegate) {
    Objects.requireNonNull(delegate, "delegate must not be null");
    return add(name, new CountedScheduler(delegate, work(name), this));
  }

  private <T extends CountedExecutor> T add(String name, T executor) {
    if (executors.putIfAbsent(name, executor) != null) {
      throw taken("executor", name);
    }
    return executor;
  }

  /** Opens a job. */
  public Job job(String name) {
    Job job = new Job(named(name), this);
    job.open();
    open.add(job);
    return job;
  }

  static String named(String name) {
    Objects.requireNonNull(name, "name must not be null");
    if (name.isBlank() || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "name='%s' of work is blank or holds control characters; allowed: printable text"
              .formatted(name));
    }
    return name;
  }

  private static IllegalArgumentException taken(String what, String name) {
    return new IllegalArgumentException(
        "%s(%s): there is one of that name already; allowed: a name for each"
            .formatted(what, name));
  }

  Work jobs() {
    return work("jobs");
  }

  Ticker ticker() {
    return ticker;
  }

  void closed(Job job) {
    open.remove(job);
  }

  void handedBack(String what) {
    handedBack.add(what);
  }

  void failed(String problem) {
    problems.add(problem);
  }

  Optional<Deadline> deadline() {
    return Optional.ofNullable(deadline);
  }

  /**
   * The shutdown begins: sources stop taking, jobs see it, and periodic tasks do not run again.
   *
   * @param drainLatest when DRAIN ends at the latest
   */
  public void requestStop(Deadline drainLatest) {
    deadline = drainLatest;
    sources.values().forEach(Source::begin);
  }

  /** Returns the steps that wait until every source has stopped taking. */
  public List<Step> stopTaking() {
    return sources.values().stream()
        .map(
            source ->
                Step.of(
                    Phase.KEEP_SERVING,
                    "stop taking " + source.name(),
                    context -> source.stopTaking()))
        .toList();
  }

  private boolean areSourcesFinished() {
    return sources.values().stream().allMatch(Source::isFinished);
  }

  private void wake() {
    LockSupport.unpark(waiter);
  }

  /**
   * Waits until every source is finished and no unit is open. Woken by the last of them; an
   * interrupt does not end the wait and is restored after it.
   *
   * @return false if the deadline passed first
   */
  public boolean awaitIdle(Deadline end) {
    waiter = Thread.currentThread();
    boolean idle = false;
    while (!idle) {
      if (!works.awaitIdle(end) || !end.await(this, this::areSourcesFinished)) {
        return false;
      }
      Optional<Duration> begins = expected(end);
      begins.ifPresent(after -> end.atMost(after.plus(AGAIN)).awaitPassed(this));
      idle = begins.isEmpty() && works.isIdle();
    }
    return true;
  }

  private Optional<Duration> expected(Deadline end) {
    return executors.values().stream()
        .flatMap(executor -> executor.awaited(end).stream())
        .max(Duration::compareTo);
  }

  /** Nothing begins any more. */
  public void close() {
    works.close();
  }

  /** Returns the steps that hand back what DRAIN has not finished. */
  public List<Step> handBacks() {
    List<Step> steps = new ArrayList<>();
    for (Source source : sources.values()) {
      if (!source.isFinished()) {
        steps.add(handBack(source.name(), () -> handBack(source)));
      }
    }
    for (Job job : open) {
      steps.add(handBack(job.name(), job::timeIsUp));
    }
    return steps;
  }

  /** Returns whether there is a source or a job that may have something to hand back. */
  public boolean mayHandBack() {
    return !sources.isEmpty() || !open.isEmpty();
  }

  private void handBack(Source source) throws Exception {
    if (source.handBack()) {
      handedBack(source.name());
    }
  }

  private static Step handBack(String name, Job.HandBack action) {
    return Step.of(Phase.DRAIN, "hand back " + name, context -> action.run());
  }

  /** Interrupts jobs and tasks that still run, and drops those that wait. */
  public void interrupt() {
    open.forEach(Job::interrupt);
    executors.forEach(
        (name, executor) -> executor.cut().forEach(task -> dropped.add(name + ": " + task)));
  }

  /** Returns the units that are open now. */
  public List<InFlightRequest> running() {
    return works.running();
  }

  /** Returns in words which work is open. */
  public List<String> open() {
    return works.open();
  }

  /** Returns the names of the sources that have finished. */
  public List<String> finishedSources() {
    return sources.values().stream()
        .filter(source -> source.isFinished() && source.problem().isEmpty())
        .map(Source::name)
        .toList();
  }

  /** Returns in words which sources have not finished. */
  public List<String> unfinishedSources() {
    return sources.values().stream()
        .filter(source -> !source.isFinished())
        .map(source -> "work source '" + source.name() + "'")
        .toList();
  }

  /** Returns which sources have not finished, and which jobs could not be handed back, in words. */
  public List<String> problems() {
    return Stream.concat(
            sources.values().stream().flatMap(source -> source.problem().stream()),
            problems.stream())
        .toList();
  }

  /** Returns how many units have ended so far, by name. */
  public Map<String, Long> finished() {
    return works.finished();
  }

  /**
   * Returns how each work stands now.
   *
   * @param before what had ended before the trigger
   * @param idle whether all work was idle after {@link #close}: units that are still counted are
   *     refusals in progress then, such as a run of a periodic task
   */
  public List<WorkReport> reports(Map<String, Long> before, boolean idle) {
    return works.reports(before, idle);
  }

  /** Returns what was handed back, by name. */
  public List<String> handedBack() {
    return List.copyOf(handedBack);
  }

  /** Returns the tasks that waited and were dropped: executor and class. */
  public List<String> dropped() {
    return List.copyOf(dropped);
  }
}
