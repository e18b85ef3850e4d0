package io.lastcall.test;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Knows when a shutdown has done all that is due at the present manual time: when each of its
 * threads waits, and none has been woken that does not run yet.
 *
 * <p>That a thread waits is no proof: one that was unparked a moment ago still looks so. So every
 * waiting thread is unparked once more, for which it looks at its condition and waits anew, which
 * its number of waits shows. If all of them come back to where they were, {@value #ROUNDS} times
 * running, nothing is on its way: one pass of work from thread to thread needs a round, and the
 * library hands work on three times at most (sequence, notifier, log, sequence).
 *
 * <p>The user's code, in steps and listeners, may wait for the user's own threads. Where it waits
 * in one place for longer than the patience, it counts as hanging, and time moves on.
 */
final class Standstill {
  private static final int ROUNDS = 5;

  private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(100);

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * A thread and where it waits, if it does.
   *
   * @param own whether it waits in the library's code, and not in the user's
   * @param until the manual time that it waits for
   * @param place the object that it is parked for, or its stack
   */
  private record Look(
      Thread thread, boolean own, boolean waits, OptionalLong until, Object place, long count) {

    boolean isParked() {
      return !(place instanceof List);
    }

    boolean hasWaitedSince(Look before) {
      return waits && (count > before.count || !isWhere(before));
    }

    boolean isWhere(@Nullable Look before) {
      if (before == null || !until.equals(before.until)) {
        return false;
      }
      return isParked() ? place == before.place : place.equals(before.place);
    }
  }

  /** Since when a thread has been seen in one place of the user's code. */
  private record Hang(Look look, long since) {}

  private final ThreadGroup group;
  private final ManualTime time;
  private final Map<Thread, Hang> hangs = new HashMap<>();
  private final Duration guard;
  private volatile long patienceNanos = TimeUnit.SECONDS.toNanos(1);

  /**
   * @param group the group of the shutdown's threads
   * @param guard how long of real time to wait; only ever reached where something never ends
   */
  Standstill(ThreadGroup group, ManualTime time, Duration guard) {
    this.group = group;
    this.time = time;
    this.guard = guard;
  }

  /** Returns whether the library made the thread. */
  static boolean isLibrary(Thread thread) {
    return thread.getName().startsWith("lastcall-");
  }

  void patience(long nanos) {
    patienceNanos = nanos;
  }

  /**
   * As {@link #await()}, after an act of the test's, which may have woken what hung: where a thread
   * is not parked, only waiting anew can tell.
   */
  void awaitAnew() {
    hangs.values().removeIf(hang -> !hang.look().isParked());
    await();
  }

  /**
   * Waits until all that is due has run.
   *
   * @throws AssertionError if that never comes, with what runs on
   */
  void await() {
    long giveUp = System.nanoTime() + guard.toNanos();
    int quiet = 0;
    while (quiet < ROUNDS) {
      Map<Thread, Look> before = look();
      boolean resting = before.values().stream().noneMatch(this::isBusy);
      quiet = resting && wake(before, giveUp) ? quiet + 1 : 0;
      if (quiet == 0) {
        pause(giveUp);
      }
    }
  }

  /** Waits for the end of the threads that end by themselves once the process has. */
  void awaitEnd() {
    long giveUp = System.nanoTime() + guard.toNanos();
    // A thread leaves its group before it has ended.
    Set<Thread> seen = threads().filter(thread -> !isLog(thread)).collect(Collectors.toSet());
    // A step's thread may hang for good; the log's is every shutdown's.
    while (seen.stream().anyMatch(thread -> look(thread).filter(Look::own).isPresent())) {
      pause(giveUp);
      threads().filter(thread -> !isLog(thread)).forEach(seen::add);
    }
  }

  /** Wakes every waiting thread; returns whether all are back where they were. */
  private boolean wake(Map<Thread, Look> before, long giveUp) {
    List<Look> parked = before.values().stream().filter(Look::isParked).toList();
    parked.forEach(look -> LockSupport.unpark(look.thread()));
    for (Look look : parked) {
      while (look(look.thread()).filter(now -> !now.hasWaitedSince(look)).isPresent()) {
        pause(giveUp);
      }
    }
    Map<Thread, Look> after = look();
    return after.keySet().equals(before.keySet())
        && after.values().stream().allMatch(now -> now.isWhere(before.get(now.thread())));
  }

  private boolean isBusy(Look look) {
    if (!look.waits() || look.own()) {
      hangs.remove(look.thread());
      return !look.waits();
    }
    long now = System.nanoTime();
    Hang hang =
        hangs.compute(
            look.thread(),
            (thread, seen) ->
                seen != null && look.isWhere(seen.look()) ? seen : new Hang(look, now));
    return now - hang.since() < patienceNanos;
  }

  private Map<Thread, Look> look() {
    return threads()
        .flatMap(thread -> look(thread).stream())
        .collect(Collectors.toMap(Look::thread, look -> look));
  }

  /** The group's, and the thread that writes the log of every shutdown in this JVM. */
  private Stream<Thread> threads() {
    ThreadGroup root = group;
    while (root.getParent() != null) {
      root = root.getParent();
    }
    Thread[] all = new Thread[root.activeCount() * 2 + 16];
    int count = root.enumerate(all);
    return Arrays.stream(all, 0, count)
        .filter(thread -> isLibrary(thread) && (thread.getThreadGroup() == group || isLog(thread)));
  }

  private static boolean isLog(Thread thread) {
    return thread.getName().equals("lastcall-log");
  }

  private static boolean isStep(Thread thread) {
    return thread.getName().startsWith("lastcall-step-");
  }

  /** Returns empty if the thread has ended. */
  private Optional<Look> look(Thread thread) {
    // The count before the place: a thread that moves between the two has a higher one later.
    ThreadInfo info = THREADS.getThreadInfo(thread.getId());
    OptionalLong until = time.parkedUntil(thread);
    Object blocker = LockSupport.getBlocker(thread);
    StackTraceElement[] stack = thread.getStackTrace();
    if (info == null || (stack.length == 0 && !thread.isAlive())) {
      return Optional.empty();
    }
    Thread.State state = info.getThreadState();
    boolean own = until.isPresent() || (!isStep(thread) && isInLibrary(stack));
    boolean waits =
        switch (state) {
          case WAITING -> true;
          // The library's own end by themselves, in real time.
          case TIMED_WAITING, BLOCKED -> !own;
          // What blocks in the system's code looks as if it ran.
          case RUNNABLE -> own ? isInSelector(stack) : isInNative(stack);
          default -> false;
        };
    Object place = Objects.requireNonNullElseGet(blocker, () -> Arrays.asList(stack));
    return Optional.of(new Look(thread, own, waits, until, place, info.getWaitedCount()));
  }

  /** Returns whether the JDK was called by the library, and not by the user's code. */
  private static boolean isInLibrary(StackTraceElement[] stack) {
    return Arrays.stream(stack)
        .map(StackTraceElement::getClassName)
        .filter(
            name ->
                !name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun."))
        .findFirst()
        .map(name -> name.startsWith("io.lastcall."))
        .orElse(true);
  }

  /** Returns whether a server, such as that of the probes, waits for connections. */
  private static boolean isInSelector(StackTraceElement[] stack) {
    return isInNative(stack) && stack[0].getClassName().startsWith("sun.nio.ch.");
  }

  private static boolean isInNative(StackTraceElement[] stack) {
    return stack.length > 0 && stack[0].isNativeMethod();
  }

  private void pause(long giveUp) {
    if (System.nanoTime() - giveUp >= 0) {
      throw new AssertionError(
          threads()
              .filter(thread -> look(thread).filter(look -> !look.waits()).isPresent())
              .map(Standstill::describe)
              .collect(
                  Collectors.joining(
                      "",
                      "The shutdown has not come to rest in "
                          + guard.toMillis()
                          + " ms of real time; still running:",
                      "")));
    }
    LockSupport.parkNanos(POLL_NANOS);
  }

  private static String describe(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .limit(12)
        .map(frame -> "\n    at " + frame)
        .collect(Collectors.joining("", "\n  " + thread.getName() + " " + thread.getState(), ""));
  }
}
