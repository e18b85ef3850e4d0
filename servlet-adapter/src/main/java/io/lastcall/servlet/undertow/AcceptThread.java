package io.lastcall.servlet.undertow;

import io.lastcall.time.Deadline;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.xnio.IoUtils;
import org.xnio.XnioIoThread;
import org.xnio.XnioWorker;
import org.xnio.channels.AcceptingChannel;

/**
 * The thread by which XNIO takes connections out of the kernel's queue. XNIO shows it to nobody: it
 * is the one of a worker's threads that is not among those that serve connections.
 *
 * @param thread runs its tasks in order, and looks at the sockets when there is none left
 */
record AcceptThread(XnioIoThread thread) {
  /** What XNIO accepts at once, at most. */
  private static final int ACCEPTS = 128;

  /** Linux's {@code net.core.somaxconn}, since 5.4. */
  private static final int LONGEST_QUEUE = 4096;

  /**
   * @throws IOException if the worker has none, because it has ended
   */
  static AcceptThread of(XnioWorker worker) throws IOException {
    return find(worker)
        .orElseThrow(
            () ->
                new IOException(
                    "Worker " + worker.getName() + " has no thread that accepts: it has ended"));
  }

  /** Empty once the worker has ended. */
  static Optional<AcceptThread> find(XnioWorker worker) {
    Set<Thread> serving = new HashSet<>();
    for (int i = 0; i < worker.getIoThreadCount(); i++) {
      serving.add(worker.getIoThread(i));
    }
    ThreadGroup group = worker.getIoThread(0).getThreadGroup();
    Thread[] all = new Thread[group == null ? 0 : 2 * group.activeCount() + serving.size() + 1];
    int count = group == null ? 0 : group.enumerate(all, false);
    for (int i = 0; i < count; i++) {
      if (all[i] instanceof XnioIoThread candidate
          && candidate.getWorker() == worker
          && !serving.contains(candidate)) {
        return Optional.of(new AcceptThread(candidate));
      }
    }
    return Optional.empty();
  }

  /**
   * Accepts what is queued and closes the listener in the same breath: whoever connects between the
   * last accept and the close is reset. Blocks until that is done.
   *
   * @throws IOException if it is not done in time
   */
  @SuppressWarnings("deprecation") // wakeupAccepts(): nothing replaces it
  void acceptQueuedThenClose(AcceptingChannel<?> listener, Deadline deadline) throws IOException {
    CountDownLatch closed = new CountDownLatch(1);
    thread.execute(
        () -> {
          // Tasks, which accept what is queued; the close is the one behind them.
          for (int accepted = 0; accepted < LONGEST_QUEUE; accepted += ACCEPTS) {
            listener.wakeupAccepts();
          }
          thread.execute(
              () -> {
                IoUtils.safeClose(listener);
                closed.countDown();
              });
        });
    IoTasks.await(closed, deadline, thread.getName());
  }
}
