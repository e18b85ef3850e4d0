package io.lastcall.probe;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What a check found. Immutable.
 *
 * @param isUp whether it passed
 * @param reason why not, in words that whoever can ask the probe may read; empty if it passed
 * @param data what JSON shows of it: text, numbers, booleans
 */
public record CheckResult(boolean isUp, String reason, Map<String, Object> data) {
  private static final CheckResult UP = new CheckResult(true, "", Map.of());

  /**
   * Copies the data.
   *
   * @throws NullPointerException if anything is null
   */
  public CheckResult {
    Objects.requireNonNull(reason, "reason must not be null");
    data = Map.copyOf(data);
  }

  /** Returns "passed". */
  public static CheckResult up() {
    return UP;
  }

  /** Returns "failed". */
  public static CheckResult down(String reason) {
    return new CheckResult(false, reason, Map.of());
  }

  /** Returns this result with a value for JSON to show. */
  public CheckResult with(String name, Object value) {
    Map<String, Object> more = new HashMap<>(data);
    more.put(name, value);
    return new CheckResult(isUp, reason, more);
  }
}
