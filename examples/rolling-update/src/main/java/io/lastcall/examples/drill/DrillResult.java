package io.lastcall.examples.drill;

import java.util.List;

/** All runs of a drill, in the order in which they were made. */
record DrillResult(DrillSettings settings, List<RunResult> runs) {

  DrillResult {
    runs = List.copyOf(runs);
  }

  List<RunResult> runs(String server, Mode mode) {
    return runs.stream().filter(run -> run.server().equals(server) && run.mode() == mode).toList();
  }

  /**
   * Whether Lastcall lost nothing and every exit was clean. What the naive server loses fails
   * nothing.
   */
  boolean passed() {
    return runs.stream().filter(run -> run.mode() == Mode.LASTCALL).allMatch(RunResult::passed);
  }
}
