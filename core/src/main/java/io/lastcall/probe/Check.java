package io.lastcall.probe;

import io.lastcall.time.Deadline;
import java.time.Duration;
import java.util.Objects;

/**
 * A named condition that one of the probes depends on. It runs when the probe is asked and the last
 * result is too old, at most once at a time, and never on the asking thread. Immutable.
 *
 * @param name how the probe calls it
 * @param timeout when it is interrupted, and counts as failed; default 900 milliseconds
 * @param cachedFor how long a result is good for; default 1 second
 * @param action what it looks at
 */
public record Check(String name, Duration timeout, Duration cachedFor, CheckAction action) {
  /** As long as a kubelet waits by default ({@code timeoutSeconds}), less the way back. */
  private static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(900);

  private static final Duration DEFAULT_CACHED_FOR = Duration.ofSeconds(1);

  /**
   * @throws NullPointerException if anything is null
   * @throws IllegalArgumentException if the name is no printable text of 1 to 100 characters, the
   *     timeout is not positive, the time to cache is negative, or either is longer than a week
   */
  public Check {
    Objects.requireNonNull(name, "A check's name must not be null");
    Objects.requireNonNull(action, "A check's action must not be null");
    Objects.requireNonNull(timeout, () -> "Check '" + name + "': timeout must not be null");
    Objects.requireNonNull(cachedFor, () -> "Check '" + name + "': cachedFor must not be null");
    if (name.isBlank() || name.length() > 100 || name.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "A check's name '%s' is not printable text of 1 to 100 characters".formatted(name));
    }
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(Deadline.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "Check '%s': timeout %s must be more than zero and at most a week"
              .formatted(name, timeout));
    }
    if (cachedFor.isNegative() || cachedFor.compareTo(Deadline.LONGEST) > 0) {
      throw new IllegalArgumentException(
          "Check '%s': cachedFor %s must not be negative, and at most a week"
              .formatted(name, cachedFor));
    }
  }

  /** Returns a check with the default timeout and caching. */
  public static Check of(String name, CheckAction action) {
    return new Check(name, DEFAULT_TIMEOUT, DEFAULT_CACHED_FOR, action);
  }

  /** Returns this check with another timeout; the default is 900 milliseconds. */
  public Check withTimeout(Duration newTimeout) {
    return new Check(name, newTimeout, cachedFor, action);
  }

  /** Returns this check with results good for another time; the default is 1 second. */
  public Check withCachedFor(Duration newCachedFor) {
    return new Check(name, timeout, newCachedFor, action);
  }
}
