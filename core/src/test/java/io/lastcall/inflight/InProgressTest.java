package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.InProgressModel.Mutant;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Work that arrives between idle and close, in every order. */
class InProgressTest {
  private final ManualTicker ticker = new ManualTicker();
  private final GateControl requests = new GateControl(ticker);
  private final GateControl tasks = new GateControl(ticker);
  private final InProgress all = InProgress.all(() -> List.of(requests, tasks));

  @Test
  void endOfDrain_inEveryInterleaving_losesNoTaskAndIsCleanOverNothing() {
    assertEquals(Optional.empty(), Explorer.explore(new InProgressModel(Mutant.NONE)).wrong());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void mutant_inSomeInterleaving_isCaught(Mutant mutant) {
    assertTrue(
        Explorer.explore(new InProgressModel(mutant)).wrong().isPresent(),
        mutant + " is not caught");
  }

  @Test
  void all_onePartIsBusy_isNotIdleAndSaysWhat() {
    assertTrue(all.isIdle());
    TestPermit task = new TestPermit("mail");
    assertTrue(tasks.gate().enter(task));
    assertFalse(all.isIdle());
    assertEquals(List.of("1 request in flight"), all.describe());
    assertEquals(1, all.running().size());
    assertFalse(all.awaitIdle(new Deadline(ticker, ticker.read())));
    assertTrue(task.release());
    assertTrue(all.awaitIdle(Deadline.after(Duration.ofSeconds(1), ticker)));
    all.close();
    assertFalse(requests.gate().enter(new TestPermit("late")));
    assertFalse(tasks.gate().enter(new TestPermit("late")));
  }
}
