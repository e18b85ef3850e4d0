package io.lastcall.testing;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Something a test runs on another thread, and its result. */
public final class Background<T> {
  private final FutureTask<T> task;
  private final Thread thread;

  private Background(Callable<T> body) {
    task = new FutureTask<>(body);
    thread = new Thread(task, "background");
    thread.setDaemon(true);
  }

  /** Starts it. */
  public static <T> Background<T> run(Callable<T> body) {
    Background<T> background = new Background<>(body);
    background.thread.start();
    return background;
  }

  /** Returns its thread. */
  public Thread thread() {
    return thread;
  }

  /** Waits for its result. */
  public T result() {
    try {
      return task.get(60, TimeUnit.SECONDS);
    } catch (InterruptedException | TimeoutException | ExecutionException e) {
      throw new AssertionError("No result", e);
    }
  }

  /** Returns whether it has ended. */
  public boolean isDone() {
    return task.isDone();
  }
}
