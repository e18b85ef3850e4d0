package io.lastcall.examples.cluster.figures;

/** What the columns of a row are. */
enum Kind {
  LEADER("another leads after, ms, median (p99)", "longest pause, ms, median (p99)"),
  REGISTRY("deregistered after, ms, median (p99)", "last request after, ms, median (p99)");

  private final String handOver;
  private final String pause;

  Kind(String handOver, String pause) {
    this.handOver = handOver;
    this.pause = pause;
  }

  String head() {
    return """
        | Example | shutdowns | wrong | %s | %s | gone after, ms, median (p99) | exit codes |
        |---|---|---|---|---|---|---|\
        """
        .formatted(handOver, pause);
  }
}
