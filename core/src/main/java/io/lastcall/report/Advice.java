package io.lastcall.report;

/**
 * What the evidence of one shutdown suggests: a sample of one, to be weighed with others.
 *
 * @param kind which advice
 * @param text in words, with the numbers it rests on
 */
public record Advice(Kind kind, String text) {

  /** What can be advised, most important first. */
  public enum Kind {
    /** DRAIN ended with requests still running. */
    REQUESTS_OUTLIVED_DRAIN,
    /** New connections came after the propagation delay, when readiness had failed. */
    RAISE_READINESS_HOLD,
    /** New connections came after the propagation delay, or so late that the next may. */
    RAISE_PROPAGATION_DELAY,
    /** A step was still running at its deadline. */
    STEP_WAS_LATE,
    /** Long-lived connections were still open at the end. */
    CONNECTIONS_STAYED_OPEN,
    /** Little was left until the process would have been halted. */
    GRACE_PERIOD_IS_TIGHT,
    /** A shorter delay would have been enough, this time. */
    SHORTER_DELAY_WAS_ENOUGH
  }
}
