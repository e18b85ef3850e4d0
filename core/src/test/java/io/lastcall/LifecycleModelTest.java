package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.LifecycleModel.Event;
import io.lastcall.LifecycleModel.Mutant;
import io.lastcall.inflight.Explorer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Every order of triggers, uninstall and exits, and the proof that the model would see a bug. */
class LifecycleModelTest {

  @Test
  void lifecycle_inEveryInterleaving_beginsOnceLosesNoPhaseAndEnds() {
    for (Set<Event> events : combinations()) {
      assertEquals(
          Optional.empty(),
          Explorer.explore(new LifecycleModel(Mutant.NONE, events)).wrong(),
          events::toString);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  void mutant_inSomeInterleaving_isCaught(Mutant mutant) {
    assertTrue(
        combinations().stream()
            .map(events -> Explorer.explore(new LifecycleModel(mutant, events)))
            .anyMatch(result -> result.wrong().isPresent()),
        mutant + " is not caught");
  }

  /** Every set of events in which something happens. */
  private static List<Set<Event>> combinations() {
    List<Set<Event>> all = new ArrayList<>();
    all.add(EnumSet.noneOf(Event.class));
    for (Event event : Event.values()) {
      for (Set<Event> without : List.copyOf(all)) {
        Set<Event> with = EnumSet.of(event);
        with.addAll(without);
        all.add(with);
      }
    }
    all.remove(0);
    return all;
  }
}
