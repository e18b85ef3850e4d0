package io.lastcall.inflight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.inflight.GateModel.Drain;
import io.lastcall.inflight.GateModel.Mutant;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Every order of every access to the gate, and the proof that the model would see a bug. */
class GateModelTest {
  /** Two take a second; three, with three million states, some ten: for a change of the gate. */
  private static final int REQUESTS = Integer.getInteger("lastcall.model.requests", 2);

  @ParameterizedTest
  @EnumSource
  void gate_inEveryInterleaving_isNeverIdleTooEarlyAndAlwaysWakesTheDrain(Drain drain) {
    Explorer.Result result = Explorer.explore(new GateModel(Mutant.NONE, drain, REQUESTS));
    assertEquals(Optional.empty(), result.wrong());
    assertTrue(result.states() > 1_000, () -> "explored only " + result.states());
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void mutant_inSomeInterleaving_isCaught(Mutant mutant) {
    assertTrue(
        Arrays.stream(Drain.values())
            .map(drain -> Explorer.explore(new GateModel(mutant, drain, REQUESTS)))
            .anyMatch(result -> result.wrong().isPresent()),
        mutant + " is not caught");
  }
}
