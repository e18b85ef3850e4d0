package io.lastcall.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the evidence of one shutdown suggests: a sample of one, to be weighed with others.
 * Immutable.
 *
 * @param kind which advice
 * @param text in words, with the numbers it rests on
 * @param evidence those numbers by name: durations and counts
 */
public record Advice(Kind kind, String text, Map<String, Object> evidence) {

  /** What can be advised, most important first. */
  public enum Kind {
    /** DRAIN ended with requests still running. */
    REQUESTS_OUTLIVED_DRAIN,
    /** Requests came after the propagation delay had ended. */
    RAISE_PROPAGATION_DELAY,
    /** A step was still running at its deadline. */
    STEP_WAS_LATE,
    /** Long-lived connections were still open at the end. */
    CONNECTIONS_STAYED_OPEN,
    /** Little was left until the process would have been halted. */
    GRACE_PERIOD_IS_TIGHT,
    /** The last request came so late that the next shutdown may see one after the delay. */
    PROPAGATION_DELAY_IS_TIGHT,
    /** A shorter delay would have been enough, this time. */
    SHORTER_DELAY_WAS_ENOUGH
  }

  /** Makes the evidence unmodifiable, in its order. */
  public Advice {
    evidence = Collections.unmodifiableMap(new LinkedHashMap<>(evidence));
  }
}
