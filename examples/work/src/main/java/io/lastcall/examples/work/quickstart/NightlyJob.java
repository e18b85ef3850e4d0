package io.lastcall.examples.work.quickstart;

import io.lastcall.GracefulShutdown;
import io.lastcall.work.Job;

/** A job that stops half-way at a SIGTERM, and says by exit code 75 that it is not done. */
public final class NightlyJob {
  private static final int ITEMS = 1_000;

  private NightlyJob() {}

  /** Works through all items, or until a SIGTERM. */
  public static void main(String[] args) throws Exception {
    GracefulShutdown shutdown = GracefulShutdown.builder().install();
    try (Job job = shutdown.beginJob("nightly")) {
      int item = 0;
      while (item < ITEMS && !job.stopRequested()) {
        process(item);
        item++;
      }
      int next = item;
      if (next < ITEMS) {
        job.handBack(() -> save(next)); // exit code 75: a Kubernetes Job runs again
      }
    }
  }

  private static void process(int item) throws InterruptedException {
    Thread.sleep(100); // the work
    System.out.println("processed " + item);
  }

  private static void save(int next) {
    System.out.println("to go on at " + next);
  }
}
