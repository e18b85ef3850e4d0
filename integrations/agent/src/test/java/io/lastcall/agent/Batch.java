package io.lastcall.agent;

/** No server at all. */
final class Batch {
  private Batch() {}

  public static void main(String[] args) {
    System.out.println("done");
  }
}
