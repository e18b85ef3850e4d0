package io.lastcall.work;

import io.lastcall.inflight.InFlightRequest;
import io.lastcall.inflight.InProgress;
import io.lastcall.name.ByName;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.report.WorkReport;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
 *
 * @hidden of the library itself
 */
public final class WorkControl implements InProgress {
  /** When to look again whether a delayed task has begun, which wakes no thread by itself. */
  private static final Duration AGAIN = Duration.ofMillis(10);

  private final Works works;
  private final Sources sources = new Sources();
  private final CountedExecutors executors = new CountedExecutors();
  private final Set<Job> open = ConcurrentHashMap.newKeySet();
  private final List<String> handedBack = new CopyOnWriteArrayList<>();
  private final List<String> problems = new CopyOnWriteArrayList<>();
  private final List<String> dropped = new CopyOnWriteArrayList<>();
  private volatile @Nullable Deadline deadline;
  private volatile @Nullable Thread waiter;

  /** Creates one without any work. */
  public WorkControl(Ticker ticker) {
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
    Runnable removal = sources.addIfFree(named(name, source));
    if (removal == null) {
      throw taken("workSource", name);
    }
    return removal;
  }

  /** As {@link #source}, with a number after a name that is taken. */
  public Runnable sourceOfComponent(String name, WorkSource source) {
    Runnable removal = sources.addIfFree(named(name, source));
    for (int i = 2; removal == null; i++) {
      removal = sources.addIfFree(named(name + " " + i, source));
    }
    return removal;
  }

  private Source named(String name, WorkSource source) {
    Objects.requireNonNull(source, "source must not be null");
    return new Source(ByName.printable("work", name), source, this);
  }

  /**
   * Returns an executor whose tasks are counted.
   *
   * @throws IllegalArgumentException if the name is taken
   */
  public ExecutorService executor(String name, ExecutorService delegate, LateTasks late) {
    Objects.requireNonNull(delegate, "delegate must not be null");
    Objects.requireNonNull(late, "late must not be null");
    return executors.add(name, new CountedExecutor(delegate, work(name), this, late));
  }

  /** As {@link #executor}, for a scheduler. */
  public ScheduledExecutorService scheduler(String name, ScheduledExecutorService delegate) {
    Objects.requireNonNull(delegate, "delegate must not be null");
    return executors.add(name, new CountedScheduler(delegate, work(name), this));
  }

  /** Opens a job. */
  public Job job(String name) {
    Job job = new Job(ByName.printable("work", name), this);
    job.open();
    open.add(job);
    return job;
  }

  static IllegalArgumentException taken(String what, String name) {
    return new IllegalArgumentException(
        "%s(%s): there is one of that name already; allowed: a name for each"
            .formatted(what, name));
  }

  Work jobs() {
    return work("jobs");
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
    works.startReport();
    deadline = drainLatest;
    sources.begin();
  }

  /** DRAIN begins, and ends by that: delayed tasks that are due before it are waited for. */
  public void drainBy(Deadline end) {
    deadline = end;
  }

  /** Returns the steps that wait until every source has stopped taking. */
  public List<Step> stopTaking() {
    return sources.stopTaking();
  }

  /** Returns the units that are open now. */
  public List<Work.Unit> open() {
    return works.open();
  }

  void wake() {
    LockSupport.unpark(waiter);
  }

  @Override
  public long started() {
    return works.units.started();
  }

  /** Returns whether no unit is open, no source unfinished, and no delayed task due in time. */
  @Override
  public boolean isIdle() {
    return works.units.isIdle() && sources.areFinished() && nextDelayed().isEmpty();
  }

  /** As {@link InProgress#awaitIdle}; woken by the last unit or source that ends. */
  @Override
  public boolean awaitIdle(Deadline end) {
    waiter = Thread.currentThread();
    while (!isIdle()) {
      if (!works.units.awaitIdle(end) || !end.await(this, sources::areFinished)) {
        return false;
      }
      nextDelayed().ifPresent(after -> end.atMost(after.plus(AGAIN)).awaitPassed(this));
      if (end.hasPassed()) {
        return isIdle();
      }
    }
    return true;
  }

  private Optional<Duration> nextDelayed() {
    return deadline().flatMap(executors::nextDelayed);
  }

  @Override
  public void close() {
    works.close();
  }

  /** Returns the steps that hand back what DRAIN has not finished. */
  public List<Step> handBacks() {
    return Stream.concat(
            sources.unfinished().map(Source::handBack), open.stream().map(Job::handBack))
        .toList();
  }

  static Step handBack(String name, Job.HandBack action) {
    return Step.of(Phase.DRAIN, "hand back " + name, context -> action.run());
  }

  /** Returns whether work is open, or a source may have taken some; also before the trigger. */
  public boolean mayBeInProgress() {
    return !sources.isEmpty() || !works.units.isIdle();
  }

  /** Returns whether there is a source or a job that may have something to hand back. */
  public boolean mayHandBack() {
    return !sources.isEmpty() || !open.isEmpty();
  }

  /** Interrupts jobs and tasks that still run, and drops those that wait. */
  public void interrupt() {
    open.forEach(Job::interrupt);
    dropped.addAll(executors.cut());
  }

  @Override
  public List<InFlightRequest> running() {
    return works.running();
  }

  @Override
  public List<String> describe() {
    return Stream.concat(works.describe().stream(), unfinishedSources().stream()).toList();
  }

  /** Returns the names of the sources that have finished. */
  public List<String> finishedSources() {
    return sources.finished();
  }

  /** Returns in words which sources have not finished. */
  public List<String> unfinishedSources() {
    return sources.unfinished().map(Source::toString).toList();
  }

  /**
   * Returns in words which sources have not finished, which jobs could not be handed back, and what
   * came too late.
   */
  public List<String> problems() {
    return Stream.of(sources.problems(), problems.stream(), works.problems())
        .flatMap(each -> each)
        .toList();
  }

  /**
   * Units that are open now are abandoned, and what ends later is not in the report.
   *
   * @param idle whether all work was idle after {@link #close}
   */
  public void endReport(boolean idle) {
    works.end(idle);
  }

  /** Returns how each work stood at {@link #endReport}, and what was refused so far. */
  public List<WorkReport> reports() {
    return works.reports();
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
