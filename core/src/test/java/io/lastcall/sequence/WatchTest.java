package io.lastcall.sequence;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WatchTest {
  private final Deadline halt = Deadline.after(Duration.ZERO, new ManualTicker());

  @Test
  void run_noMemoryToMakeTheRecords_triesAgainWhenTheyAreDue() {
    List<String> written = new ArrayList<>();
    List<String> attempts = new ArrayList<>();
    new Watch(
            Duration.ofSeconds(1),
            Optional::empty,
            (phase, words) -> {
              attempts.add(words);
              if (attempts.size() == 1) {
                throw new OutOfMemoryError("heap");
              }
              return () -> written.add(words);
            })
        .run(halt);
    assertEquals(2, attempts.size());
    assertEquals(attempts.subList(1, 2), written);
  }

  @Test
  void run_noMemoryToWrite_leavesTheRestToTheHalt() {
    List<String> attempts = new ArrayList<>();
    new Watch(
            Duration.ofSeconds(1),
            Optional::empty,
            (phase, words) ->
                () -> {
                  attempts.add(words);
                  throw new OutOfMemoryError("heap");
                })
        .run(halt);
    assertEquals(1, attempts.size());
  }
}
