package io.lastcall.examples.work;

/**
 * What every example does with what it takes: an order is processed, which takes a while. Each
 * prints a line when it begins and when it is done, with the process's monotonic clock.
 */
public final class Orders {
  private static final int MILLIS = Integer.getInteger("order.millis", 20);

  private Orders() {}

  /**
   * Processes an order.
   *
   * @throws InterruptedException if interrupted: then nothing of it is done
   */
  public static void process(String order) throws InterruptedException {
    print("taken", order);
    Thread.sleep(MILLIS); // the work
    print("done", order);
  }

  /** Prints that no order is taken any more. */
  public static void printStopped() {
    print("stopped", "taking");
  }

  private static void print(String what, String order) {
    System.out.println(what + " " + order + " " + System.nanoTime());
  }
}
