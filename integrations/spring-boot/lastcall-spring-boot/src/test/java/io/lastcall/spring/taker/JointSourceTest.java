package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.work.WorkSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class JointSourceTest {
  private static final Error MISSING = new NoClassDefFoundError("com/acme/Broker");

  private final List<String> called = new ArrayList<>();

  private final class Part implements WorkSource {
    private final boolean broken;

    Part(boolean broken) {
      this.broken = broken;
    }

    @Override
    public void stopTaking() {
      call("stop");
    }

    @Override
    public CompletionStage<?> finished() {
      return new CompletableFuture<>();
    }

    @Override
    public boolean handBack() {
      call("hand back");
      return true;
    }

    private void call(String what) {
      if (broken) {
        throw MISSING;
      }
      called.add(what);
    }
  }

  /** A class is missing, after a deployment that was not complete: an Error, and no Exception. */
  @Test
  void onePartThrowsAnError_theOthersStopAndHandBackAllTheSame() {
    JointSource source = new JointSource(() -> List.of(new Part(true), new Part(false)));
    assertSame(MISSING, assertThrows(Error.class, source::stopTaking));
    assertFalse(source.finished().toCompletableFuture().isDone());
    assertSame(MISSING, assertThrows(Error.class, source::handBack));
    assertEquals(List.of("stop", "hand back"), called);
  }

  @Test
  void partsCannotBeFound_drainDoesNotWaitForThem() {
    JointSource source =
        new JointSource(
            () -> {
              throw MISSING;
            });
    assertSame(MISSING, assertThrows(Error.class, source::stopTaking));
    assertTrue(source.finished().toCompletableFuture().isCompletedExceptionally());
  }
}
