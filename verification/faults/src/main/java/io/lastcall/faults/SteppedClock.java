package io.lastcall.faults;

/** A wall clock that is set while a process runs. */
final class SteppedClock {
  /** Adds {@code CLOCK_STEP} seconds once the file {@code CLOCK_STEPPED} is there. */
  static final String SOURCE =
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdlib.h>
      #include <sys/time.h>
      #include <time.h>
      #include <unistd.h>

      static long step(void) {
        static volatile int stepped = 0;
        if (!stepped && access(getenv("CLOCK_STEPPED"), F_OK) == 0) stepped = 1;
        return stepped ? atol(getenv("CLOCK_STEP")) : 0;
      }

      int clock_gettime(clockid_t clock, struct timespec *now) {
        static int (*real)(clockid_t, struct timespec *) = 0;
        if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
        int result = real(clock, now);
        if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec += step();
        return result;
      }

      int gettimeofday(struct timeval *now, void *zone) {
        struct timespec precise;
        (void) zone;
        clock_gettime(CLOCK_REALTIME, &precise);
        now->tv_sec = precise.tv_sec;
        now->tv_usec = precise.tv_nsec / 1000;
        return 0;
      }
      """;

  private SteppedClock() {}
}
