package io.lastcall.phase;

/** The work of a step. */
@FunctionalInterface
public interface StepAction {

  /**
   * Runs on a thread of its own, interrupted at its deadline.
   *
   * @throws Exception recorded in the report; the sequence goes on
   */
  void run(StepContext context) throws Exception;
}
