package io.lastcall.phase;

/** The work of a step. */
@FunctionalInterface
public interface StepAction {

  /**
   * Runs on a thread of its own, interrupted at its deadline. Its context class loader is that of
   * the thread that added the step; in EXIT, that of the thread that installed the shutdown.
   *
   * @throws Exception recorded in the report; the sequence goes on
   */
  void run(StepContext context) throws Exception;
}
