package io.lastcall.drill;

import java.util.List;

/** All runs of a drill, in the order in which they were made. */
record DrillResult(DrillSettings settings, List<RunResult> runs) {

  DrillResult {
    runs = List.copyOf(runs);
  }

  List<RunResult> runs(String server, Mode mode) {
    return runs.stream().filter(run -> run.server().equals(server) && run.mode() == mode).toList();
  }

  /** Those of the settings' servers that were rolled at least once, before something failed. */
  List<String> servers() {
    return settings.servers().stream()
        .filter(server -> runs.stream().anyMatch(run -> run.server().equals(server)))
        .toList();
  }

  /** The modes in which this server was rolled, in the order in which they are shown. */
  List<Mode> modes(String server) {
    return settings.modes().stream().filter(mode -> !runs(server, mode).isEmpty()).toList();
  }

  /**
   * Whether Lastcall lost nothing and every exit was clean. What the naive server loses fails
   * nothing.
   */
  boolean passed() {
    return runs.stream().filter(run -> run.mode().isDrained()).allMatch(RunResult::passed);
  }
}
