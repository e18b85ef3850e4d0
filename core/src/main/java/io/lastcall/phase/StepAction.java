package io.lastcall.phase;

/** The work of a step. */
@FunctionalInterface
public interface StepAction {

  /**
   * Runs on a thread of its own, which is interrupted at the step's deadline. The thread's context
   * class loader is that of the thread that added the step; in EXIT, that of the installing thread.
   *
   * @throws Exception recorded in the report; the sequence goes on
   */
  void run(StepContext context) throws Exception;
}
