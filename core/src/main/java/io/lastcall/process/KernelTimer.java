package io.lastcall.process;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends the process soon behind a halt that hangs, whatever state the JVM is in: a POSIX timer (<a
 * href="https://man7.org/linux/man-pages/man2/timer_create.2.html">timer_create(2)</a>) calls
 * {@code _exit} on a thread of the C library's own, which needs no safepoint, heap or lock of the
 * JVM's. On 64-bit Linux from JDK 22 on, where native access is allowed.
 */
final class KernelTimer implements HaltAid.Means {
  /**
   * How long behind the halt the timer ends the process. A halt with threads in native code takes
   * 310 ms, and the reserve behind it is a second at the least.
   */
  static final Duration BEHIND = Duration.ofMillis(500);

  /**
   * When the timer's functions are linked, which takes a tenth of a second of a core: this long
   * behind the start, so that start-up and the rehearsal of the exit are over.
   */
  static final Duration BEHIND_START = Duration.ofSeconds(3);

  /**
   * Where a shutdown begins before that, this long behind its beginning: an exit that waits for
   * nobody is over by then, and does without.
   */
  static final Duration REST = Duration.ofMillis(250);

  private static final int CLOCK_MONOTONIC = 1;
  private static final int SIGEV_THREAD = 2;
  private static final long NULL = 0;
  private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** An expiry of zero disarms. */
  private static final long NEVER = 0;

  private final MethodHandle timerCreate;
  private final MethodHandle timerSettime;
  private final MethodHandle timerDelete;

  /** {@code struct sigevent}: value, signal, how to notify, function, attributes. */
  private final ByteBuffer event = struct(64);

  /** {@code struct itimerspec}: an interval, here none, and the first expiry. */
  private final ByteBuffer time = struct(32);

  private final ByteBuffer timer = struct(Long.BYTES);
  private final long eventAddress = ForeignFunctions.address(event);
  private final long timeAddress = ForeignFunctions.address(time);
  private final long timerAddress = ForeignFunctions.address(timer);

  /**
   * Does all that helping does, so that nothing of it needs memory any more, but lets nobody die.
   */
  private KernelTimer() throws Throwable {
    ForeignFunctions functions = new ForeignFunctions();
    timerCreate =
        functions.function(
            "timer_create", MethodType.methodType(int.class, int.class, long.class, long.class));
    timerSettime =
        functions.function(
            "timer_settime",
            MethodType.methodType(int.class, long.class, int.class, long.class, long.class));
    timerDelete = functions.function("timer_delete", MethodType.methodType(int.class, long.class));
    event.putInt(12, SIGEV_THREAD).putLong(16, functions.address("_exit"));
    create(0);
    set(NEVER);
    check((int) timerDelete.invokeExact(timer.getLong(0)));
  }

  /** Returns it, or null where it cannot be had. */
  static @Nullable KernelTimer ifAllowed(HaltAid halt) throws Throwable {
    if (!ForeignFunctions.areAllowed()
        || !System.getProperty("os.name", "").equals("Linux")
        || !System.getProperty("sun.arch.data.model", "").equals("64")) {
      return null;
    }
    halt.awaitArmed(BEHIND_START.toNanos());
    halt.await(REST.toNanos());
    return halt.isStopped() ? null : new KernelTimer();
  }

  @Override
  public void help(HaltAid halt) throws Throwable {
    try {
      create(halt.exitCode());
      set(Math.max(NEVER + 1, halt.remainingNanos() + BEHIND.toNanos()));
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private void create(int exitCode) throws Throwable {
    event.putLong(0, exitCode);
    check((int) timerCreate.invokeExact(CLOCK_MONOTONIC, eventAddress, timerAddress));
  }

  private void set(long nanos) throws Throwable {
    time.putLong(16, nanos / NANOS_PER_SECOND).putLong(24, nanos % NANOS_PER_SECOND);
    check((int) timerSettime.invokeExact(timer.getLong(0), 0, timeAddress, NULL));
  }

  private static void check(int failed) {
    if (failed != 0) {
      throw new IllegalStateException("No timer");
    }
  }

  private static ByteBuffer struct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }
}
