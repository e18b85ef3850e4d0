package io.lastcall.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@SuppressWarnings("NullAway") // nulls are the point
class StepTest {
  private final Step step = Step.of(Phase.DRAIN, "pool", context -> {});

  private static void assertRefused(
      Class<? extends RuntimeException> type, String message, Executable call) {
    assertEquals(message, assertThrows(type, call).getMessage());
  }

  @Test
  void of_nothingElse_isOfOrderZeroWithoutTimeout() {
    assertEquals(0, step.order());
    assertEquals(Optional.empty(), step.timeout());
    assertEquals(5, step.withOrder(5).order());
    assertEquals(
        Optional.of(Duration.ofSeconds(1)), step.withTimeout(Duration.ofSeconds(1)).timeout());
  }

  @Test
  void of_nullAction_namesTheStep() {
    assertRefused(
        NullPointerException.class,
        "Step 'pool': action must not be null",
        () -> Step.of(Phase.DRAIN, "pool", null));
  }

  @Test
  void of_nullPhase_namesTheStep() {
    assertRefused(
        NullPointerException.class,
        "Step 'pool': phase must not be null",
        () -> Step.of(null, "pool", context -> {}));
  }

  @Test
  void of_nullOrBlankName_isRefused() {
    assertRefused(
        NullPointerException.class,
        "A step's name must not be null",
        () -> Step.of(Phase.DRAIN, null, context -> {}));
    assertRefused(
        IllegalArgumentException.class,
        "A step's name must not be blank",
        () -> Step.of(Phase.DRAIN, " ", context -> {}));
  }

  @Test
  void of_nameOfTwoLines_isRefused() {
    assertRefused(
        IllegalArgumentException.class,
        "A step's name 'pool\nqueue' must not hold control characters",
        () -> Step.of(Phase.DRAIN, "pool\nqueue", context -> {}));
  }

  @Test
  void withTimeout_null_namesTheStep() {
    assertRefused(
        NullPointerException.class,
        "Step 'pool': timeout must not be null",
        () -> step.withTimeout(null));
  }

  @Test
  void withTimeout_notPositiveOrTooLong_namesStepAndValue() {
    assertRefused(
        IllegalArgumentException.class,
        "Step 'pool': timeout PT0S must be more than zero and at most a week",
        () -> step.withTimeout(Duration.ZERO));
    assertRefused(
        IllegalArgumentException.class,
        "Step 'pool': timeout PT-1S must be more than zero and at most a week",
        () -> step.withTimeout(Duration.ofSeconds(-1)));
    assertRefused(
        IllegalArgumentException.class,
        "Step 'pool': timeout PT168H0.001S must be more than zero and at most a week",
        () -> step.withTimeout(Duration.ofDays(7).plusMillis(1)));
  }
}
