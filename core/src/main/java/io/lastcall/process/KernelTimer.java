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
  /** A halt with threads in native code takes 310 ms; the reserve is a second at the least. */
  static final Duration BEHIND = Duration.ofMillis(500);

  /** Linking takes a tenth of a second; exits that wait for nobody are over before. */
  static final Duration REST = Duration.ofMillis(250);

  private static final int CLOCK_MONOTONIC = 1;
  private static final int SIGEV_THREAD = 2;
  private static final long NULL = 0;

  private KernelTimer() {}

  /** Returns it, or null where it cannot be had. */
  static @Nullable KernelTimer ifAllowed() {
    return ForeignFunctions.areAllowed()
            && System.getProperty("os.name", "").equals("Linux")
            && System.getProperty("sun.arch.data.model", "").equals("64")
        ? new KernelTimer()
        : null;
  }

  @Override
  public void help(HaltAid halt) throws Throwable {
    halt.await(REST.toNanos());
    ForeignFunctions functions = new ForeignFunctions();
    MethodHandle set =
        functions.function(
            "timer_settime",
            MethodType.methodType(int.class, long.class, int.class, long.class, long.class));
    long timer = create(functions, halt.exitCode());
    // Zero would disarm it.
    set(set, timer, Math.max(1, halt.remainingNanos() + BEHIND.toNanos()));
  }

  private static long create(ForeignFunctions functions, int exitCode) throws Throwable {
    MethodHandle create =
        functions.function(
            "timer_create", MethodType.methodType(int.class, int.class, long.class, long.class));
    // struct sigevent: value, signal, how to notify, function, attributes.
    ByteBuffer event = struct(64).putLong(exitCode).putInt(0).putInt(SIGEV_THREAD);
    event.putLong(functions.address("_exit"));
    ByteBuffer timer = struct(Long.BYTES);
    try {
      check(
          (int)
              create.invokeExact(
                  CLOCK_MONOTONIC,
                  ForeignFunctions.address(event),
                  ForeignFunctions.address(timer)));
    } finally {
      Reference.reachabilityFence(event);
    }
    return timer.getLong(0);
  }

  private static void set(MethodHandle set, long timer, long nanos) throws Throwable {
    long second = TimeUnit.SECONDS.toNanos(1);
    // struct itimerspec: an interval, here none, and the first expiry.
    ByteBuffer time = struct(32).putLong(0).putLong(0);
    time.putLong(nanos / second).putLong(nanos % second);
    try {
      check((int) set.invokeExact(timer, 0, ForeignFunctions.address(time), NULL));
    } finally {
      Reference.reachabilityFence(time);
    }
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
