package io.lastcall.micrometer;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.Sessions;
import io.lastcall.work.Work;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;

/** Meters of the work that is not a request and of sessions, by their names, and of idleness. */
final class WorkMeters {
  private static final String WORK = "work";
  private static final String UNITS = "units";

  private final GracefulShutdown shutdown;

  WorkMeters(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
  }

  void bind(Binding binding) {
    binding.meter(
        Gauge.builder("lastcall.idle", shutdown, it -> it.isIdle() ? 1 : 0)
                .description(
                    "1 while no request, connection, session or work is in progress, else 0")
                .strongReference(true)
            ::register);
    shutdown.onWork(work -> bind(binding, work));
    shutdown.onSessions(
        sessions ->
            binding.meter(
                Gauge.builder("lastcall.open.sessions", sessions, Sessions::inProgress)
                        .description("Sessions that hold this release")
                        .tag("kind", sessions.name())
                        .strongReference(true)
                    ::register));
  }

  private static void bind(Binding binding, Work work) {
    binding.meter(
        Gauge.builder("lastcall.work.open", work, Work::inProgress)
                .description("Units of work in progress")
                .baseUnit(UNITS)
                .tag(WORK, work.name())
                .strongReference(true)
            ::register);
    binding.meter(
        FunctionCounter.builder("lastcall.work.finished", work, Work::finished)
                .description("Units of work that have ended")
                .baseUnit(UNITS)
                .tag(WORK, work.name())
            ::register);
  }
}
