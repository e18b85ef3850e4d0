package io.lastcall.work;

import io.lastcall.process.ShutdownLog;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor.DiscardOldestPolicy;
import java.util.concurrent.ThreadPoolExecutor.DiscardPolicy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the count of tasks that a full pool drops without a word: DRAIN would wait for them. */
final class DroppedTasks {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private DroppedTasks() {}

  /** Replaces the two policies of the JDK that drop tasks by ones that drop the same, and count. */
  static void releaseIn(ThreadPoolExecutor pool, String name) {
    RejectedExecutionHandler policy = pool.getRejectedExecutionHandler();
    boolean oldest = policy instanceof DiscardOldestPolicy;
    if (!oldest && !(policy instanceof DiscardPolicy)) {
      return;
    }
    log.warn(
        "countedExecutor({}): its {} drops tasks when it is full. A task that it drops is not waited"
            + " for, and makes a shutdown incomplete; allowed: a policy that throws, or runs the task",
        name,
        policy.getClass().getSimpleName());
    pool.setRejectedExecutionHandler(
        (task, full) -> {
          boolean makesRoom = oldest && !full.isShutdown();
          drop(makesRoom ? full.getQueue().poll() : task);
          if (makesRoom) {
            full.execute(task);
          }
        });
  }

  private static void drop(@Nullable Runnable task) {
    if (task instanceof Work.Unit unit) {
      unit.drop();
    }
  }
}
