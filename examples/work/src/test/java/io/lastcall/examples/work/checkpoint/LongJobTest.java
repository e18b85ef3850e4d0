package io.lastcall.examples.work.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.examples.work.Trial;
import io.lastcall.testing.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class LongJobTest {
  @Test
  void sigterm_betweenOrdersOrInOne_exitsWith75AndLeavesTheRest() throws Exception {
    try (CheckpointBacklog backlog = new CheckpointBacklog()) {
      for (int i = 0; i < 2; i++) {
        Trial trial = Trial.underLoad(backlog, LongJob.class, i);
        assertEquals(75, trial.exitCode(), trial::toString);
        assertEquals(List.of(), trial.missing(), trial::toString);
        assertEquals(List.of(), trial.doubled(), trial::toString);
        assertEquals(0, trial.takenAfterStop(), trial::toString);
      }
    }
  }

  @Test
  void secondProcess_goesOnWhereTheFirstStopped_andExitsWith0() throws Exception {
    List<String> orders = IntStream.range(0, 40).mapToObj(i -> "order-" + i).toList();
    try (CheckpointBacklog backlog = new CheckpointBacklog()) {
      backlog.add(orders);
      List<String> done = new ArrayList<>(run(backlog, true, 75));
      assertTrue(done.size() < orders.size(), done::toString);
      done.addAll(run(backlog, false, 0));
      assertEquals(orders, done);
    }
  }

  private static List<String> run(CheckpointBacklog backlog, boolean interrupt, int exitCode)
      throws Exception {
    try (Program program = new Program(LongJob.class, backlog.arguments())) {
      if (interrupt) {
        program.await("taken", 5);
        program.sigterm();
      }
      assertEquals(exitCode, program.awaitExit());
      program.awaitOutput();
      return program.lines("done").stream().map(Program.Line::subject).toList();
    }
  }
}
