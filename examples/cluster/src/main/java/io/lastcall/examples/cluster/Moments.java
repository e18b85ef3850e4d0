package io.lastcall.examples.cluster;

/** Prints what happens when, by the machine's monotonic clock: the tests read it. */
public final class Moments {
  private Moments() {}

  /**
   * Prints a line of three words.
   *
   * @param what happens
   * @param subject to what
   */
  public static void print(String what, String subject) {
    System.out.println(what + " " + subject + " " + System.nanoTime());
  }
}
