package io.lastcall.inflight;

import java.util.Optional;

/**
 * {@link InProgress#all} and the end of DRAIN as a model: a request begins a task, that task a
 * second one in another executor, and that one a third in the first; somebody who is not counted
 * begins a unit at any moment. Each gate's own count is taken as exact: {@link GateModel} shows it.
 */
final class InProgressModel implements Explorer.Model {

  /** Ways to build it wrong. */
  enum Mutant {
    NONE,
    WORK_CLOSES_AFTER_REQUESTS,
    NOT_ASKED_AT_ONCE,
    NOT_ASKED_AFTER_THE_CLOSE,
    REFUSALS_READ_BEFORE_THE_CLOSE
  }

  // What began and what ended on each gate: of requests, then of two executors.
  private static final int STARTED = 0;
  private static final int FINISHED = 3;
  private static final int GATES = 3;
  private static final int REQUESTS = 0;
  private static final int SECOND = 1;
  private static final int FIRST = 2;

  private static final int CLOSED = 6;
  private static final int REFUSED = 7;
  private static final int REFUSED_READ = 8;
  private static final int LOST = 9;
  private static final int OUTCOME = 10;
  private static final int SUM = 11;
  private static final int SECOND_SUM = 12;
  private static final int REFUSED_BY_THEN = 13;

  /** Where each process is: the sequence, the request, its three tasks, the one not counted. */
  private static final int AT = 14;

  private static final int SEQUENCE = 0;
  private static final int REQUEST = 1;
  private static final int TASKS = 2;
  private static final int OUTSIDER = 5;
  private static final int PROCESSES = 6;

  // The sequence: three reads, three looks, three reads, the close, and all but that once more.
  private static final int LOOKS = 3;
  private static final int READS_AGAIN = 6;
  private static final int CLOSE = 9;
  private static final int AGAIN = 10;
  private static final int REPORT = 19;
  private static final int OVER = 20;

  private static final int CLEAN = 1;
  private static final int INCOMPLETE = 2;
  private static final int DONE = 4;

  private final Mutant mutant;

  InProgressModel(Mutant mutant) {
    this.mutant = mutant;
  }

  @Override
  public byte[] initial() {
    byte[] state = new byte[AT + PROCESSES];
    state[STARTED + REQUESTS] = 1;
    return state;
  }

  @Override
  public int processes() {
    return PROCESSES;
  }

  @Override
  public boolean step(byte[] state, int process, int choice) {
    if (choice == 1) {
      return false;
    }
    return switch (process) {
      case SEQUENCE -> sequence(state);
      case REQUEST -> request(state);
      case OUTSIDER -> unit(state, OUTSIDER, SECOND, false);
      default -> unit(state, process, process == TASKS + 1 ? SECOND : FIRST, true);
    };
  }

  /** Begins the first task, and ends. */
  private static boolean request(byte[] state) {
    int at = state[AT + REQUEST];
    if (at == 0) {
      return go(state, TASKS, 1) && go(state, REQUEST, 1);
    }
    if (at == 1 && state[AT + TASKS] > 2) {
      state[FINISHED + REQUESTS]++;
      return go(state, REQUEST, DONE);
    }
    return false;
  }

  /** 1 count, 2 read the mode, 3 run: a task begins the next one before it ends. */
  private static boolean unit(byte[] state, int process, int gate, boolean isTask) {
    switch (state[AT + process]) {
      case 0 -> {
        return !isTask && go(state, process, 1);
      }
      case 1 -> {
        state[STARTED + gate]++;
        return go(state, process, 2);
      }
      case 2 -> {
        if (state[CLOSED] == 0) {
          return go(state, process, 3);
        }
        state[REFUSED]++;
        state[LOST] |= (byte) (isTask ? 1 : 0);
        return go(state, process, 5);
      }
      case 3 -> {
        boolean begins = isTask && process < TASKS + 2;
        if (begins && state[AT + process + 1] == 0) {
          return go(state, process + 1, 1);
        }
        if (begins && state[AT + process + 1] < 3) {
          return false;
        }
        state[FINISHED + gate]++;
        return go(state, process, DONE);
      }
      case 5 -> {
        state[FINISHED + gate]++;
        return go(state, process, DONE + 2);
      }
      default -> {
        return false;
      }
    }
  }

  private boolean sequence(byte[] state) {
    int at = state[AT + SEQUENCE];
    if (at == CLOSE) {
      state[REFUSED_READ] = state[REFUSED];
      state[CLOSED] = 1;
      boolean asks = mutant != Mutant.NOT_ASKED_AFTER_THE_CLOSE;
      return go(state, SEQUENCE, asks ? AGAIN : REPORT);
    }
    if (at == REPORT) {
      boolean early = mutant == Mutant.REFUSALS_READ_BEFORE_THE_CLOSE;
      state[REFUSED_BY_THEN] = state[REFUSED];
      state[OUTCOME] = (byte) (state[early ? REFUSED_READ : REFUSED] == 0 ? CLEAN : INCOMPLETE);
      return go(state, SEQUENCE, OVER);
    }
    return at < REPORT && ask(state, at, at < CLOSE ? 0 : AGAIN);
  }

  private boolean ask(byte[] state, int at, int from) {
    int step = at - from;
    int gate = step % GATES;
    if (step < LOOKS) {
      state[SUM] = (byte) ((gate == 0 ? 0 : state[SUM]) + state[STARTED + gate]);
      return go(state, SEQUENCE, at + 1);
    }
    if (step < READS_AGAIN) {
      boolean idle = state[STARTED + gate] == state[FINISHED + gate];
      boolean requestsOnly = mutant == Mutant.WORK_CLOSES_AFTER_REQUESTS && from == 0;
      if (idle && requestsOnly) {
        return go(state, SEQUENCE, CLOSE);
      }
      return go(state, SEQUENCE, idle ? at + 1 : from);
    }
    state[SECOND_SUM] = (byte) ((gate == 0 ? 0 : state[SECOND_SUM]) + state[STARTED + gate]);
    if (gate < GATES - 1) {
      return go(state, SEQUENCE, at + 1);
    }
    boolean same = state[SUM] == state[SECOND_SUM] || mutant == Mutant.NOT_ASKED_AT_ONCE;
    return go(state, SEQUENCE, same ? at + 1 : from);
  }

  @Override
  public Optional<String> wrong(byte[] state) {
    if (state[LOST] == 1) {
      return Optional.of("a task was refused that a request had begun");
    }
    if (state[OUTCOME] != CLEAN) {
      return Optional.empty();
    }
    if (state[REFUSED_BY_THEN] > 0) {
      return Optional.of("clean, and a unit was refused");
    }
    for (int process = TASKS; process <= OUTSIDER; process++) {
      if (state[AT + process] == 3) {
        return Optional.of("clean, and work is in progress");
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> wrongAtEnd(byte[] state) {
    return state[OUTCOME] == 0 ? Optional.of("never ends") : Optional.empty();
  }

  private static boolean go(byte[] state, int process, int next) {
    state[AT + process] = (byte) next;
    return true;
  }
}
