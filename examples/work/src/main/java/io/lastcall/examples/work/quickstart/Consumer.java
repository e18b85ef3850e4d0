package io.lastcall.examples.work.quickstart;

import io.lastcall.GracefulShutdown;
import io.lastcall.work.WorkSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A consumer without a server; the queue stands for a broker. */
public final class Consumer implements WorkSource, Runnable {
  private final BlockingQueue<String> queue = new LinkedBlockingQueue<>();
  private final CompletableFuture<Void> finished = new CompletableFuture<>();
  private volatile boolean taking = true;

  /** Consumes until a SIGTERM. */
  public static void main(String[] args) {
    GracefulShutdown shutdown = GracefulShutdown.builder().cleanExitCode(0).install();
    Consumer consumer = new Consumer();
    shutdown.workSource("orders", consumer);
    new Thread(consumer, "orders").start();
  }

  @Override
  public void run() {
    try {
      while (taking) {
        String order = queue.poll(100, TimeUnit.MILLISECONDS);
        if (order != null) {
          process(order);
        }
      }
      finished.complete(null);
    } catch (InterruptedException | RuntimeException e) {
      finished.completeExceptionally(e); // the shutdown is incomplete then: exit code 80
    }
  }

  /** At the trigger. */
  @Override
  public void stopTaking() {
    taking = false;
  }

  /** DRAIN waits for it. */
  @Override
  public CompletionStage<?> finished() {
    return finished;
  }

  private static void process(String order) {
    System.out.println("processed " + order);
  }
}
