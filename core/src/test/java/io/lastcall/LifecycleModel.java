package io.lastcall;

import io.lastcall.inflight.Explorer;
import java.util.Optional;
import java.util.Set;

/**
 * {@link ShutdownState}, {@link SignalHandlers} and {@link ShutdownThread} as a model: who begins,
 * who waits for whom, and who exits. Follows them access by access; who changes one of them changes
 * the other. Without the halter: nothing may need it.
 */
final class LifecycleModel implements Explorer.Model {

  /** Ways to build it wrong. */
  enum Mutant {
    NONE,
    BEGIN_NOT_ATOMIC,
    UNPARK_BEFORE_STATE,
    FAILURE_ENDS_SEQUENCE,
    LATCH_OPENED_AFTER_EXIT,
    HOOK_JOINS_SEQUENCE,
    HOOK_ALWAYS_WAITS
  }

  /** What may happen to a process, in any order. */
  enum Event {
    SIGNAL,
    PRE_STOP,
    FOREIGN_EXIT,
    UNINSTALL
  }

  private static final int PHASES = 5;

  // What is shared.
  private static final int STATE = 0;
  private static final int BY_EXIT = 1;
  private static final int UNPARKED = 2;
  private static final int PHASES_RUN = 3;
  private static final int OVER = 4;
  private static final int EXITING = 5;
  private static final int HOOK = 6;
  private static final int GONE = 7;
  private static final int BEGUN_TIMES = 8;

  /** Where each process is; the sequence first, the hook second, then the events. */
  private static final int AT = 9;

  private static final int SEQUENCE = 0;
  private static final int HOOK_THREAD = 1;
  private static final int EVENTS = 2;

  // STATE
  private static final int IDLE = 0;
  private static final int BEGUN = 1;
  private static final int UNINSTALLED = 2;

  // HOOK
  private static final int REGISTERED = 0;
  private static final int RUNNING = 1;
  private static final int ENDED = 2;

  private static final int DONE = 9;

  private final Mutant mutant;
  private final Set<Event> events;

  LifecycleModel(Mutant mutant, Set<Event> events) {
    this.mutant = mutant;
    this.events = events;
  }

  @Override
  public byte[] initial() {
    return new byte[AT + processes()];
  }

  @Override
  public int processes() {
    return EVENTS + Event.values().length;
  }

  @Override
  public boolean step(byte[] state, int process, int choice) {
    if (state[GONE] == 1 || (choice == 1 && process != SEQUENCE)) {
      return false;
    }
    if (process == SEQUENCE) {
      return sequence(state, choice);
    }
    if (process == HOOK_THREAD) {
      return hook(state);
    }
    Event event = Event.values()[process - EVENTS];
    if (!events.contains(event)) {
      return false;
    }
    return switch (event) {
      case SIGNAL -> begins(state, process, false, DONE);
      case PRE_STOP -> preStop(state, process);
      case FOREIGN_EXIT -> exits(state, process, 0);
      case UNINSTALL -> uninstall(state, process);
    };
  }

  /** Steps 0 and 1 (2 if not atomic); returns false once behind them. */
  private boolean begins(byte[] state, int process, boolean byExit, int next) {
    int at = state[AT + process];
    boolean early = mutant == Mutant.UNPARK_BEFORE_STATE;
    if (at == 0 && mutant == Mutant.BEGIN_NOT_ATOMIC) {
      return go(state, process, state[STATE] == IDLE ? 2 : next);
    }
    if (at == 0 && early) {
      state[UNPARKED] = 1;
      return go(state, process, 1);
    }
    if (at == 0 || at == 2 || (at == 1 && early)) {
      if (state[STATE] != IDLE && at != 2) {
        return go(state, process, next);
      }
      state[STATE] = BEGUN;
      state[BEGUN_TIMES]++;
      state[BY_EXIT] = (byte) (byExit ? 1 : 0);
      return go(state, process, early ? next : 1);
    }
    if (at == 1) {
      state[UNPARKED] = 1;
      return go(state, process, next);
    }
    return false;
  }

  /** Answers when KEEP_SERVING has ended, or when nothing will ever run. */
  private boolean preStop(byte[] state, int process) {
    if (state[AT + process] != 3) {
      return begins(state, process, false, 3);
    }
    boolean answers = state[PHASES_RUN] > 0 || state[STATE] == UNINSTALLED;
    return answers && go(state, process, DONE);
  }

  private boolean uninstall(byte[] state, int process) {
    switch (state[AT + process]) {
      case 0 -> {
        boolean mine = state[STATE] == IDLE;
        state[STATE] = mine ? UNINSTALLED : state[STATE];
        return go(state, process, mine ? 1 : DONE);
      }
      case 1 -> {
        state[UNPARKED] = 1;
        return go(state, process, 2);
      }
      case 2 -> {
        if (state[HOOK] == REGISTERED) {
          state[HOOK] = ENDED;
        }
        return go(state, process, DONE);
      }
      default -> {
        return false;
      }
    }
  }

  /** System.exit: one caller runs the hooks and ends the JVM, any other blocks for ever. */
  private boolean exits(byte[] state, int process, int at) {
    if (state[AT + process] == at) {
      if (state[EXITING] == 1) {
        return false;
      }
      state[EXITING] = 1;
      state[HOOK] = state[HOOK] == REGISTERED ? RUNNING : state[HOOK];
      return go(state, process, at + 1);
    }
    if (state[AT + process] == at + 1 && state[HOOK] == ENDED) {
      state[GONE] = 1;
      return true;
    }
    return false;
  }

  private boolean hook(byte[] state) {
    if (state[HOOK] != RUNNING) {
      return false;
    }
    if (state[AT + HOOK_THREAD] != 3) {
      return begins(state, HOOK_THREAD, true, 3);
    }
    if (state[BY_EXIT] == 0 && state[STATE] == BEGUN && state[OVER] == 0) {
      // Whoever began: the exit is somebody else's.
      state[BY_EXIT] = 1;
      return true;
    }
    boolean nothingBegun = state[STATE] == UNINSTALLED && mutant != Mutant.HOOK_ALWAYS_WAITS;
    boolean over =
        mutant == Mutant.HOOK_JOINS_SEQUENCE ? state[AT + SEQUENCE] == DONE : state[OVER] == 1;
    if (!nothingBegun && !over) {
      return false;
    }
    state[HOOK] = ENDED;
    return true;
  }

  /** 0 look, 1 park, 2 phases, 3 open the latch, 4 and 5 exit. */
  private boolean sequence(byte[] state, int choice) {
    int at = state[AT + SEQUENCE];
    boolean late = mutant == Mutant.LATCH_OPENED_AFTER_EXIT;
    if (choice == 1) {
      boolean fails = at == 2 && mutant == Mutant.FAILURE_ENDS_SEQUENCE;
      return fails && go(state, SEQUENCE, 3);
    }
    switch (at) {
      case 0 -> {
        int next = state[STATE] == IDLE ? 1 : 2;
        return go(state, SEQUENCE, state[STATE] == UNINSTALLED ? DONE : next);
      }
      case 1 -> {
        boolean woken = state[UNPARKED] == 1;
        state[UNPARKED] = 0;
        return woken && go(state, SEQUENCE, 0);
      }
      case 2 -> {
        // A phase that fails is recorded, and the next one follows: the same step.
        state[PHASES_RUN]++;
        return go(state, SEQUENCE, state[PHASES_RUN] < PHASES ? 2 : late ? 4 : 3);
      }
      case 3 -> {
        state[OVER] = 1;
        return go(state, SEQUENCE, state[BY_EXIT] == 1 ? DONE : 4);
      }
      default -> {
        return at != DONE && exits(state, SEQUENCE, 4);
      }
    }
  }

  @Override
  public Optional<String> wrong(byte[] state) {
    if (state[BEGUN_TIMES] > 1) {
      return Optional.of("begun twice");
    }
    if (state[GONE] == 1 && state[STATE] == BEGUN && state[PHASES_RUN] < PHASES) {
      return Optional.of("gone with a phase missing");
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> wrongAtEnd(byte[] state) {
    if (state[GONE] == 1) {
      return Optional.empty();
    }
    boolean uninstalled = state[STATE] == UNINSTALLED && state[AT + SEQUENCE] == DONE;
    boolean livesOn = uninstalled && !events.contains(Event.FOREIGN_EXIT);
    return livesOn ? Optional.empty() : Optional.of("hangs");
  }

  private static boolean go(byte[] state, int process, int next) {
    state[AT + process] = (byte) next;
    return true;
  }
}
