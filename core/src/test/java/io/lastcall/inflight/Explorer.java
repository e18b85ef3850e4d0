package io.lastcall.inflight;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Walks through every state that a few processes can reach by taking their steps in any order. A
 * state is a handful of bytes, a step one access to what is shared: the accesses modelled are all
 * volatile, which gives them one total order (Java memory model), so orders are all there is.
 */
public final class Explorer {
  private static final int MAX_STATES = 5_000_000;

  private Explorer() {}

  /** Processes, and what must hold. */
  public interface Model {
    /** Returns the first state. */
    byte[] initial();

    /** Returns how many processes there are. */
    int processes();

    /**
     * Lets one process take its next step, in place.
     *
     * @param choice 0, or 1 for what may also happen at this step
     * @return false if it cannot move now, or has no such choice
     */
    boolean step(byte[] state, int process, int choice);

    /** Returns what is wrong with a state. */
    Optional<String> wrong(byte[] state);

    /** Returns what is wrong with a state in which nobody can move any more. */
    Optional<String> wrongAtEnd(byte[] state);
  }

  /**
   * What was found.
   *
   * @param states how many states there are, or were until something was wrong
   * @param wrong the first thing that was wrong
   */
  public record Result(int states, Optional<String> wrong) {}

  /** Explores all states, or as many as it takes to find one that is wrong. */
  public static Result explore(Model model) {
    Set<ByteBuffer> seen = new HashSet<>();
    Deque<byte[]> open = new ArrayDeque<>();
    open.push(model.initial());
    while (!open.isEmpty()) {
      byte[] state = open.pop();
      if (!seen.add(ByteBuffer.wrap(state))) {
        continue;
      }
      if (seen.size() > MAX_STATES) {
        throw new IllegalStateException("The model has more than " + MAX_STATES + " states");
      }
      Optional<String> wrong = model.wrong(state);
      if (wrong.isEmpty() && !expand(model, state, open)) {
        wrong = model.wrongAtEnd(state);
      }
      if (wrong.isPresent()) {
        return new Result(seen.size(), wrong);
      }
    }
    return new Result(seen.size(), Optional.empty());
  }

  private static boolean expand(Model model, byte[] state, Deque<byte[]> open) {
    boolean moved = false;
    for (int process = 0; process < model.processes(); process++) {
      for (int choice = 0; choice <= 1; choice++) {
        byte[] next = state.clone();
        if (model.step(next, process, choice)) {
          open.push(next);
          moved = true;
        }
      }
    }
    return moved;
  }
}
