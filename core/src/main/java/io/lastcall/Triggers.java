package io.lastcall;

import io.lastcall.inflight.GateControl;
import io.lastcall.phase.Trigger;
import io.lastcall.phase.Trigger.Kind;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.process.Jvm;
import io.lastcall.process.SafeLog;
import io.lastcall.process.SignalBinding;
import io.lastcall.process.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What begins a shutdown from outside: the stop signals, SIGINT, and the JVM's own hook for an exit
 * that somebody else has begun.
 */
final class Triggers {
  private static final Logger log = LoggerFactory.getLogger(Triggers.class);

  /** 128 + SIGINT: what a shell expects of a program that a person has stopped. */
  private static final int INTERRUPTED_EXIT_CODE = 130;

  /** How soon it is found out who else has called {@code System.exit}: it costs stack traces. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  /** No hook is told which of them. */
  private static final Trigger JVM_EXIT =
      new Trigger(Kind.JVM_EXIT, "JVM exit by System.exit, SIGHUP or the last thread's end");

  private final ShutdownPlan plan;
  private final Jvm jvm;
  private final Lifecycle lifecycle;
  private final GateControl gate;
  private final Conductor conductor;
  private final List<SignalBinding> bindings = new ArrayList<>();
  private final AtomicInteger interrupts = new AtomicInteger();
  private final Thread hook = Threads.daemon("hook", this::onJvmExit);

  Triggers(ShutdownPlan plan, Jvm jvm, Lifecycle lifecycle, GateControl gate, Conductor conductor) {
    this.plan = plan;
    this.jvm = jvm;
    this.lifecycle = lifecycle;
    this.gate = gate;
    this.conductor = conductor;
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
    for (String signal : plan.stopSignals()) {
      bind(signal, () -> onStopSignal("SIG" + signal));
    }
    if (!plan.stopSignals().contains("INT")) {
      bind("INT", this::onInterrupt);
    }
  }

  void uninstall() {
    bindings.forEach(binding -> binding.undo().run());
    jvm.removeHook(hook);
  }

  private void bind(String signal, Runnable handler) {
    SignalBinding binding = jvm.bind(signal, () -> run(handler));
    boolean stop = plan.stopSignals().contains(signal);
    switch (binding.status()) {
      case BOUND -> bindings.add(binding);
      case REDUCED -> {
        if (stop) {
          log.error(
              "SIG{} cannot be seen: the JVM runs with -Xrs. It ends the process at once, also behind"
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
              "SIG{} will not arrive: {}. Whatever starts java must not ignore it, as a shell does"
                  + " behind trap ''",
              signal,
              binding.detail());
        }
      }
      case UNUSABLE -> {
        if (stop) {
          throw plan.value(Setting.STOP_SIGNALS)
              .refusal(
                  "SIG%s cannot be handled: %s; allowed: signals of this system that the JVM does not"
                          .formatted(signal, binding.detail())
                      + " need, such as TERM, INT, HUP, USR1",
                  null);
        }
      }
    }
  }

  /** What a signal's handler throws the JVM only prints, and the process would run on. */
  private void run(Runnable handler) {
    try {
      handler.run();
    } catch (Throwable t) {
      SafeLog.warn(log, "The handler of a signal failed", t);
      lifecycle.exitUnlessBegun(ShutdownPlan.INCOMPLETE_EXIT_CODE);
    }
  }

  private void onStopSignal(String name) {
    if (isStartingUp()) {
      lifecycle.quit(name, ShutdownPlan.NOT_STARTED_EXIT_CODE, gate.started());
    }
    begin(new Trigger(Kind.STOP_SIGNAL, name));
  }

  /** A second one means "now": a person is waiting. A second stop signal never does. */
  private void onInterrupt() {
    if (interrupts.incrementAndGet() > 1) {
      jvm.halt(INTERRUPTED_EXIT_CODE);
    }
    if (isStartingUp()) {
      lifecycle.quit("SIGINT", INTERRUPTED_EXIT_CODE, gate.started());
    }
    begin(new Trigger(Kind.INTERRUPT, "SIGINT"));
  }

  /** Nothing to drain yet; but a shutdown that the program has begun itself goes on. */
  private boolean isStartingUp() {
    return !lifecycle.isStarted() && lifecycle.trigger().isEmpty();
  }

  private void begin(Trigger trigger) {
    if (lifecycle.begin(trigger)) {
      return;
    }
    if (lifecycle.trigger().isEmpty()) {
      // Uninstalled in this very moment: what the JVM would do without us. Or it quits already.
      jvm.exit(ShutdownPlan.NOT_STARTED_EXIT_CODE);
    }
    log.info("{}: the shutdown has begun already, and goes on as it is", trigger);
  }

  /**
   * Runs beside all other hooks. It waits for a latch that the sequence opens before its own {@code
   * System.exit}, never for the sequence's thread: that one sits in the exit this hook is part of.
   * The halter bounds the wait.
   */
  private void onJvmExit() {
    if (isStartingUp()) {
      lifecycle.exitsBeforeStarted(JVM_EXIT, gate.started());
      return;
    }
    lifecycle.begin(JVM_EXIT);
    if (lifecycle.trigger().isEmpty()) {
      return; // it quits, or was uninstalled in this very moment
    }
    CountDownLatch over = lifecycle.over();
    if (over.getCount() > 0) {
      lifecycle.exitCalled();
    }
    while (over.getCount() > 0) {
      // Again each time: others may call for the exit yet, and will not end either.
      spareExiting();
      try {
        over.await(LOOK_AGAIN.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        // Nobody may cut the drain short by interrupting a hook.
        SafeLog.debug(log, "Interrupted in the hook", e);
      }
    }
  }

  /** A request or a step may have called {@code System.exit}: it will not end. */
  private void spareExiting() {
    try {
      gate.spare(jvm::isExiting);
      conductor.spareExiting(jvm::isExiting);
    } catch (Throwable t) {
      SafeLog.warn(log, "Could not find out who has called System.exit", t);
    }
  }
}
