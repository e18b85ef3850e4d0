package io.lastcall.faults;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** All faults, in the order of the table. */
final class Kinds {
  private Kinds() {}

  static List<Fault> all(Path keys) {
    return Stream.of(
            CleanFaults.all(),
            HandlerFaults.all(),
            StepFaults.all(),
            HookFaults.all(),
            ListenerFaults.all(),
            SignalFaults.all(),
            ExitFaults.all(),
            ResourceFaults.all(),
            OutputFaults.all(),
            RecordFaults.all(),
            ProcessFaults.all(),
            ProbeFaults.all(),
            ClientFaults.all(keys),
            Http2Faults.all())
        .flatMap(List::stream)
        .toList();
  }
}
