package io.lastcall.examples.cluster.latch;

import io.lastcall.GracefulShutdown;
import io.lastcall.examples.cluster.Moments;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepContext;
import java.io.EOFException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.retry.ExponentialBackoffRetry;

/**
 * Processes orders while it leads, by Curator's latch. When it ends, the order in work is done
 * first, then the latch is given up, and the next process leads at once.
 */
public final class Leader implements Runnable {
  private static final Duration HAND_OVER = Duration.ofSeconds(5);
  private static final Duration FOR_THE_LATCH = Duration.ofSeconds(1);
  private static final int ORDER_MILLIS = Integer.getInteger("order.millis", 20);

  private final String name;
  private final LeaderLatch latch;
  private final Thread thread = new Thread(this, "leader");

  /** Held while an order is in work. Fair, or the hand-over would wait for many orders. */
  private final Lock working = new ReentrantLock(true);

  private Leader(String name, LeaderLatch latch) {
    this.name = name;
    this.latch = latch;
  }

  /** The arguments are ZooKeeper's address and this process's own name. */
  public static void main(String[] args) throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    CuratorFramework zookeeper =
        CuratorFrameworkFactory.newClient(args[0], new ExponentialBackoffRetry(100, 5));
    shutdown.step(Step.closing(Phase.CLOSE_CONNECTIONS, "zookeeper", zookeeper));
    zookeeper.start();
    Leader leader = new Leader(args[1], new LeaderLatch(zookeeper, "/orders/leader", args[1]));
    shutdown.step(
        Step.of(Phase.KEEP_SERVING, "leadership", leader::handOver).withTimeout(HAND_OVER));
    leader.latch.start();
    leader.thread.start();
  }

  @Override
  public void run() {
    try {
      for (long order = 0; ; order++) {
        latch.await();
        working.lock();
        try {
          if (latch.hasLeadership()) {
            process(name + "-" + order);
          }
        } finally {
          working.unlock();
        }
      }
    } catch (EOFException closed) {
      // It has handed over.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void process(String order) throws InterruptedException {
    Moments.print("taken", order);
    Thread.sleep(ORDER_MILLIS); // the work
    Moments.print("done", order);
  }

  /** The order in work ends before another process may lead; one that takes too long is cut. */
  private void handOver(StepContext context) throws Exception {
    long patience = context.deadline().remaining().minus(FOR_THE_LATCH).toMillis();
    if (!working.tryLock(patience, TimeUnit.MILLISECONDS)) {
      thread.interrupt();
      working.lockInterruptibly();
    }
    try {
      latch.close();
      Moments.print("released", latch.getLeader().getId());
    } finally {
      working.unlock();
    }
  }
}
