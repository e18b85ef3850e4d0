package io.lastcall.work;

/** What happens to tasks that are submitted to an executor after the shutdown has begun. */
public enum LateTasks {
  /** They run until DRAIN ends: requests in flight may need them. */
  RUN,
  /**
   * They are refused with a {@link WorkRefusedException}; the report counts them, and the shutdown
   * is incomplete, unless the caller says that it has handled the refusal.
   */
  REJECT
}
