package io.lastcall.inflight;

import java.util.Optional;

/**
 * The gate as a model: requests on two stripes, one of which two threads release, and the sequence
 * that drains. Follows {@link RequestGate}, {@link Permit} and {@link StripedCounters} access by
 * access; who changes one of them changes the other.
 */
final class GateModel implements Explorer.Model {

  /** Ways to build the gate wrong. Each is a bug that somebody shipped, or nearly. */
  enum Mutant {
    NONE,
    STARTED_SUMMED_FIRST,
    NO_TEST_AFTER_REFUSAL,
    FLAG_READ_BEFORE_COUNTING_IN,
    FLAG_READ_BEFORE_COUNTING_OUT,
    NO_TEST_BY_THE_DRAIN,
    RELEASE_NOT_ATOMIC,
    ONLY_IDLE_WAKES_WHILE_ANSWERING,
    ANSWERS_COMPARED_WITH_AN_OLD_COUNT
  }

  /** How the drain goes. */
  enum Drain {
    /** Serves late requests for as long as it takes. */
    SERVE,
    /** Serves them, and at some moment begins to refuse. */
    CUT_OFF,
    /** Refuses from the start. */
    REJECT,
    /** Times out at some moment, and waits for the first request only, if that runs then. */
    GIVE_UP
  }

  private static final int SERVING = 0;
  private static final int DRAINING = 1;
  private static final int REFUSING = 2;
  private static final int ANSWERING = 3;
  private static final int CLOSED = 4;

  // What is shared.
  private static final int STARTED = 0;
  private static final int FINISHED = 2;
  private static final int MODE = 4;
  private static final int UNPARKED = 5;
  private static final int HELD = 6;
  private static final int ADMITTED = 7;

  /** Whether nobody was in flight at some instant since the sequence's scan began. */
  private static final int EMPTY_SEEN = 8;

  private static final int FALSE_IDLE = 9;

  /** How many are admitted and have not counted out: what the gate itself cannot know. */
  private static final int INSIDE = 10;

  /** Whether the wait for an answer ended before the answer had left. */
  private static final int ANSWER_CUT = 11;

  // What each process has: where it is, what it has summed.
  private static final int PROCESSES = 12;
  private static final int AT = 0;
  private static final int SUM = 1;
  private static final int SIZE = 2;

  // Where a request can be.
  private static final int COUNT_IN = 0;
  private static final int READ_FLAG = 1;
  private static final int TAKE_BACK = 2;
  private static final int RELEASE = 3;
  private static final int CLEAR = 4;
  private static final int COUNT_OUT = 5;
  private static final int READ_FLAG_AGAIN = 6;
  private static final int OWN_STRIPE = 7;
  private static final int SCAN = 9;
  private static final int UNPARK = 13;
  private static final int DONE = 14;

  // Where the sequence can be.
  private static final int DRAIN = 0;
  private static final int FIRST_SCAN = 1;
  private static final int FIRST_PARK = 5;
  private static final int CLOSE = 6;
  private static final int LAST_SCAN = 7;
  private static final int LAST_PARK = 11;
  private static final int CLOSED_AND_IDLE = 12;
  private static final int TELL = 13;
  private static final int ANSWER_TEST = 14;
  private static final int ANSWER_PARK = 15;

  private final Mutant mutant;
  private final Drain drain;
  private final int requests;

  GateModel(Mutant mutant, Drain drain, int requests) {
    this.mutant = mutant;
    this.drain = drain;
    this.requests = requests;
  }

  @Override
  public byte[] initial() {
    byte[] state = new byte[PROCESSES + processes() * SIZE];
    state[MODE] = (byte) (drain == Drain.REJECT ? REFUSING : SERVING);
    state[me(processes() - 1) + AT] = RELEASE;
    return state;
  }

  /** The sequence, the requests, and a second thread that releases the first request. */
  @Override
  public int processes() {
    return 1 + requests + 1;
  }

  @Override
  public boolean step(byte[] state, int process, int choice) {
    boolean moved;
    if (process == 0) {
      moved = sequence(state, choice);
    } else {
      moved = choice == 0 && request(state, process);
    }
    if (inFlight(state) == 0) {
      state[EMPTY_SEEN] = 1;
    }
    return moved;
  }

  private boolean sequence(byte[] state, int choice) {
    int me = me(0);
    int at = state[me + AT];
    if (choice == 1) {
      return at == FIRST_PARK && timePasses(state, me);
    }
    switch (at) {
      case DRAIN -> {
        int next = mutant == Mutant.NO_TEST_BY_THE_DRAIN ? FIRST_PARK : FIRST_SCAN;
        return go(state, me, next, MODE, Math.max(DRAINING, state[MODE]));
      }
      case FIRST_PARK, LAST_PARK, ANSWER_PARK -> {
        boolean woken = state[UNPARKED] == 1;
        int test = at == FIRST_PARK ? FIRST_SCAN : at == LAST_PARK ? LAST_SCAN : ANSWER_TEST;
        return woken && go(state, me, test, UNPARKED, 0);
      }
      case TELL, ANSWER_TEST -> {
        answers(state, me, at);
        return true;
      }
      case CLOSE -> {
        return go(state, me, LAST_SCAN, MODE, CLOSED);
      }
      case CLOSED_AND_IDLE -> {
        return false;
      }
      default -> {
        sequenceScans(state, me, at);
        return true;
      }
    }
  }

  private boolean timePasses(byte[] state, int me) {
    return switch (drain) {
      case SERVE, REJECT -> false;
      case CUT_OFF -> state[MODE] < REFUSING && go(state, me, FIRST_SCAN, MODE, REFUSING);
      case GIVE_UP -> go(state, me, TELL, MODE, ANSWERING);
    };
  }

  /** The first request ends by being told; the others would not. */
  private void answers(byte[] state, int me, int at) {
    boolean held = state[HELD] == 1;
    if (at == TELL) {
      state[me + SUM] = (byte) (inFlight(state) - 1);
      state[me + AT] = (byte) (held ? ANSWER_TEST : CLOSE);
      return;
    }
    boolean compares = mutant == Mutant.ANSWERS_COMPARED_WITH_AN_OLD_COUNT;
    boolean waits = compares ? inFlight(state) > state[me + SUM] : held;
    state[ANSWER_CUT] = (byte) (held && !waits ? 1 : 0);
    state[me + AT] = (byte) (waits ? ANSWER_PARK : CLOSE);
  }

  private void sequenceScans(byte[] state, int me, int at) {
    int first = at < FIRST_PARK ? FIRST_SCAN : LAST_SCAN;
    if (at == first) {
      state[me + SUM] = 0;
      state[EMPTY_SEEN] = (byte) (inFlight(state) == 0 ? 1 : 0);
    }
    scan(state, me, at - first);
    state[me + AT]++;
    if (at == first + 3 && state[me + SUM] == 0) {
      state[FALSE_IDLE] = (byte) (1 - state[EMPTY_SEEN]);
      state[me + AT] = (byte) (first == FIRST_SCAN ? CLOSE : CLOSED_AND_IDLE);
    }
  }

  /** One of the four reads of an idle test; the sum is what is still in flight. */
  private void scan(byte[] state, int me, int read) {
    boolean finishedNow = read < 2 != (mutant == Mutant.STARTED_SUMMED_FIRST);
    int cell = state[(finishedNow ? FINISHED : STARTED) + read % 2];
    state[me + SUM] += (byte) (finishedNow ? -cell : cell);
  }

  private boolean request(byte[] state, int process) {
    int me = me(process);
    boolean second = process == processes() - 1;
    int stripe = second ? 0 : (process - 1) % 2;
    int at = state[me + AT];
    if (at == DONE || (second && state[ADMITTED] == 0)) {
      return false;
    }
    if (at <= TAKE_BACK) {
      enters(state, process, me, stripe);
    } else if (at <= READ_FLAG_AGAIN) {
      leaves(state, me, stripe, second || process == 1);
    } else {
      tests(state, me, stripe);
    }
    return true;
  }

  private void enters(byte[] state, int process, int me, int stripe) {
    boolean swapped = mutant == Mutant.FLAG_READ_BEFORE_COUNTING_IN;
    switch (state[me + AT]) {
      case COUNT_IN -> {
        if (swapped) {
          state[me + AT] = (byte) (state[MODE] >= REFUSING ? DONE : READ_FLAG);
        } else {
          state[STARTED + stripe]++;
          state[me + AT] = READ_FLAG;
        }
      }
      case READ_FLAG -> {
        if (swapped) {
          state[STARTED + stripe]++;
        }
        boolean refused = !swapped && state[MODE] >= REFUSING;
        state[me + AT] = (byte) (refused ? TAKE_BACK : RELEASE);
        if (!refused) {
          state[INSIDE]++;
          if (process == 1) {
            state[HELD] = 1;
            state[ADMITTED] = 1;
          }
        }
      }
      default -> {
        state[FINISHED + stripe]++;
        boolean silent = mutant == Mutant.NO_TEST_AFTER_REFUSAL;
        state[me + AT] = (byte) (silent ? DONE : OWN_STRIPE);
      }
    }
  }

  private void leaves(byte[] state, int me, int stripe, boolean shared) {
    boolean swapped = mutant == Mutant.FLAG_READ_BEFORE_COUNTING_OUT;
    switch (state[me + AT]) {
      case RELEASE -> {
        int held = shared ? state[HELD] : 1;
        if (shared && mutant != Mutant.RELEASE_NOT_ATOMIC) {
          state[HELD] = 0;
        }
        state[me + AT] = (byte) (held == 0 ? DONE : CLEAR);
      }
      case CLEAR -> {
        if (shared) {
          state[HELD] = 0;
        }
        state[me + AT] = COUNT_OUT;
      }
      case COUNT_OUT -> {
        if (swapped) {
          state[me + SUM] = state[MODE];
        } else {
          countOut(state, stripe);
        }
        state[me + AT] = READ_FLAG_AGAIN;
      }
      default -> {
        if (swapped) {
          countOut(state, stripe);
        }
        int mode = swapped ? state[me + SUM] : state[MODE];
        boolean idleOnly = mutant == Mutant.ONLY_IDLE_WAKES_WHILE_ANSWERING;
        int test = mode == ANSWERING && !idleOnly ? UNPARK : OWN_STRIPE;
        state[me + AT] = (byte) (mode >= DRAINING ? test : DONE);
      }
    }
  }

  private static void countOut(byte[] state, int stripe) {
    state[FINISHED + stripe]++;
    state[INSIDE]--;
  }

  private void tests(byte[] state, int me, int stripe) {
    int at = state[me + AT];
    state[me + AT]++;
    if (at == OWN_STRIPE) {
      state[me + SUM] = (byte) -state[FINISHED + stripe];
    } else if (at == OWN_STRIPE + 1) {
      boolean alone = state[me + SUM] + state[STARTED + stripe] == 0;
      state[me + AT] = (byte) (alone ? SCAN : DONE);
      state[me + SUM] = 0;
    } else if (at < UNPARK) {
      scan(state, me, at - SCAN);
      if (at == UNPARK - 1 && state[me + SUM] != 0) {
        state[me + AT] = DONE;
      }
    } else {
      state[UNPARKED] = 1;
    }
  }

  @Override
  public Optional<String> wrong(byte[] state) {
    if (inFlight(state) < 0) {
      return Optional.of("more have left than entered");
    }
    if (state[FALSE_IDLE] == 1) {
      return Optional.of("idle while somebody was in flight at every instant");
    }
    if (state[ANSWER_CUT] == 1) {
      return Optional.of("an answer that was on its way is not waited for");
    }
    if (isAnsweredAndParked(state)) {
      return Optional.of("nobody says that the answer has left");
    }
    if (state[me(0) + AT] == CLOSED_AND_IDLE && state[INSIDE] > 0) {
      return Optional.of("a request is inside a closed, idle gate");
    }
    return Optional.empty();
  }

  @Override
  public Optional<String> wrongAtEnd(byte[] state) {
    return state[me(0) + AT] == CLOSED_AND_IDLE
        ? Optional.empty()
        : Optional.of("nobody wakes the drain");
  }

  /** Both threads that may release the first request are through, and have woken nobody. */
  private boolean isAnsweredAndParked(byte[] state) {
    return state[me(0) + AT] == ANSWER_PARK
        && state[UNPARKED] == 0
        && state[me(1) + AT] == DONE
        && state[me(processes() - 1) + AT] == DONE;
  }

  private static int inFlight(byte[] state) {
    return state[STARTED] + state[STARTED + 1] - state[FINISHED] - state[FINISHED + 1];
  }

  private static int me(int process) {
    return PROCESSES + process * SIZE;
  }

  private static boolean go(byte[] state, int me, int next, int cell, int value) {
    state[cell] = (byte) value;
    state[me + AT] = (byte) next;
    return true;
  }
}
