package io.lastcall.probe;

/**
 * A condition of the application's own. Called on a thread of the library's, by one at a time, with
 * the context class loader of the thread that added the check.
 */
@FunctionalInterface
public interface CheckAction {

  /**
   * Looks. Interrupted at the check's timeout.
   *
   * @throws Exception counts as failed; its class is shown by the probe, its message is only logged
   */
  CheckResult check() throws Exception;
}
