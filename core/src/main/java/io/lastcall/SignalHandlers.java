package io.lastcall;

import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Jvm;
import io.lastcall.process.LogContext;
import io.lastcall.process.ShutdownLog;
import io.lastcall.process.Threads;
import io.lastcall.sequence.Service;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the shutdown from outside: by the stop signals, by SIGINT, and by a JVM hook where the
 * application has called {@code System.exit} itself.
 */
final class SignalHandlers {
  private static final Logger log = LoggerFactory.getLogger(SignalHandlers.class);

  /** How long a line that is logged right before an exit may take. */
  private static final Duration LAST_LINE = Duration.ofSeconds(1);

  /** A JVM hook cannot tell which of these it was. */
  private static final Trigger JVM_EXIT =
      new Trigger(Kind.JVM_EXIT, "the JVM's end by its last thread, System.exit or SIGHUP");

  private final ShutdownState state;
  private final Readiness readiness;
  private final Service service;
  private final Jvm jvm;
  private final List<Jvm.Binding> bindings = new ArrayList<>();
  private final AtomicInteger interrupts = new AtomicInteger();
  private final Thread hook = Threads.daemon("hook", this::onJvmExit);

  SignalHandlers(ShutdownState state, Readiness readiness, Service service, Jvm jvm) {
    this.state = state;
    this.readiness = readiness;
    this.service = service;
    this.jvm = jvm;
  }

  /**
   * @throws IllegalArgumentException if a configured signal does not exist or is the JVM's own
   */
  void install() {
    jvm.shellAsInit()
        .ifPresent(
            shell ->
                log.warn(
                    "PID 1 is the shell '{}' that started this JVM: it gets the stop signal and does"
                        + " not pass it on. Start java with exec, or in the image's exec form",
                    shell));
    jvm.addHook(hook);
    for (String signal : state.plan().stopSignals()) {
      bind(signal, () -> onStopSignal("SIG" + signal));
    }
    if (!state.plan().stopSignals().contains("INT")) {
      bind("INT", this::onInterrupt);
    }
  }

  void uninstall() {
    bindings.forEach(binding -> binding.undo().run());
    jvm.removeHook(hook);
  }

  private void bind(String signal, Runnable handler) {
    Jvm.Binding binding = jvm.bind(signal, () -> run(handler));
    boolean stop = state.plan().stopSignals().contains(signal);
    switch (binding.status()) {
      case BOUND -> bindings.add(binding);
      case REDUCED -> {
        if (stop) {
          log.error(
              "SIG{} cannot be seen: the JVM runs with -Xrs. It ends the process at once, also after"
                  + " begin() or /prestop; as PID 1 it does nothing. Remove -Xrs",
              signal);
        }
      }
      case TAKEN ->
          log.warn(
              "SIG{} is {}, and stays so: the shutdown begins only when that handler exits, without"
                  + " KEEP_SERVING. Install Lastcall before it, or remove it",
              signal,
              binding.detail());
      case IGNORED -> {
        if (stop) {
          log.warn(
              "SIG{} will not arrive: {}. The program that starts java must not ignore it, as a shell"
                  + " does after trap ''",
              signal,
              binding.detail());
        }
      }
      case UNUSABLE -> {
        if (stop) {
          throw state
              .plan()
              .value(Setting.STOP_SIGNALS)
              .refusal(
                  "SIG%s cannot be handled: %s; allowed: signals of this system that the JVM does"
                          .formatted(signal, binding.detail())
                      + " not need, such as TERM, INT, HUP, USR1",
                  null);
        }
      }
    }
  }

  /** The JVM only prints what a handler throws, and the process would run on. */
  private void run(Runnable handler) {
    try {
      handler.run();
    } catch (Throwable t) {
      try {
        state.armHalter();
        ShutdownLog.warn(log, "The handler of a signal failed", t);
      } finally {
        // Idle is asked first, which needs no class that could be missing.
        if (state.isIdle() || state.trigger().isEmpty()) {
          jvm.exit(ShutdownPlan.INCOMPLETE_EXIT_CODE);
        }
      }
    }
  }

  void onStopSignal(String name) {
    begin(new Trigger(Kind.STOP_SIGNAL, name), ShutdownPlan.NOT_STARTED_EXIT_CODE);
  }

  /** A second SIGINT means "now": a person is waiting. A second stop signal never does. */
  private void onInterrupt() {
    if (interrupts.incrementAndGet() > 1) {
      jvm.halt(ShutdownPlan.INTERRUPTED_EXIT_CODE);
    }
    begin(new Trigger(Kind.INTERRUPT, "SIGINT"), ShutdownPlan.INTERRUPTED_EXIT_CODE);
  }

  private void begin(Trigger trigger, int codeIfNotStarted) {
    if (isStartingUp()) {
      quit(trigger, codeIfNotStarted);
    }
    if (state.begin(trigger, LogContext.NONE)) {
      return;
    }
    if (state.trigger().isEmpty()) {
      // Uninstalled or quitting at this moment: exit as the JVM would without this library.
      jvm.exit(ShutdownPlan.NOT_STARTED_EXIT_CODE);
    }
    ShutdownLog.info(log, "{}: the shutdown has begun already and goes on as it is", trigger);
  }

  /**
   * Returns whether there is nothing to drain yet. Work and requests may be in progress before
   * start-up is over: a job is all that some processes do, a consumer takes as soon as it is made,
   * and a client without a readiness probe sends as soon as the server listens. A shutdown that the
   * program has begun itself goes on.
   */
  private boolean isStartingUp() {
    return !readiness.isStarted()
        && state.trigger().isEmpty()
        && service.gate().isIdle()
        && !service.work().mayBeInProgress();
  }

  /**
   * Exits, since there is nothing to drain. Start-up and JVM hooks that wait for its end, as Spring
   * Boot's does, go on until the halt. Returns only if something else was first.
   */
  private void quit(Trigger signal, int code) {
    Optional<Deadline> halt = state.quit();
    if (halt.isPresent()) {
      service.work().requestStop(halt.get()); // a job that begins now need not run to the halt
      ShutdownLog.info(
          log,
          "{} before start-up was over: nothing to drain. Exit {} once JVM hooks have ended, which"
              + " may wait for start-up, and {} ms from now at the latest",
          signal,
          code,
          halt.get().remaining().toMillis());
      warnOfRequests(halt.get());
      jvm.exit(code);
    }
  }

  /** Flushes the log, too: the exit is next. */
  private void warnOfRequests(Deadline halt) {
    if (service.gate().started() > 0) {
      ShutdownLog.warn(
          log,
          "{} requests came before started() was called; routers are waited for only after it",
          service.gate().started());
    }
    ShutdownLog.flush(halt.atMost(LAST_LINE));
  }

  /**
   * Runs concurrently with all other JVM hooks. It waits for the end of the sequence, never for the
   * sequence's thread, which may be blocked in the exit that this hook is part of.
   */
  private void onJvmExit() {
    if (isStartingUp()) {
      if (state.isIdle()) {
        ShutdownLog.info(log, "{} before start-up was over: it is not delayed", JVM_EXIT);
        warnOfRequests(Deadline.after(LAST_LINE, state.ticker()));
      }
      return;
    }
    state.begin(JVM_EXIT, LogContext.NONE);
    if (state.trigger().isEmpty()) {
      return; // the process quits, or the library was uninstalled at this moment
    }
    CountDownLatch done = state.done();
    if (done.getCount() > 0) {
      state.exitCalled();
    }
    while (done.getCount() > 0) {
      try {
        done.await();
      } catch (InterruptedException e) {
        // An interrupted hook must not cut the drain short.
        ShutdownLog.debug(log, "Interrupted in the JVM hook", e);
      }
    }
  }
}
