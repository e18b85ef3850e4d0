package io.lastcall.kubernetes;

import java.time.Duration;
import java.util.Objects;

/** How far an application is with its preparation to be stopped. Immutable. */
public sealed interface PreparationAnswer {

  /** It may be stopped now, and stays so until it is cancelled. */
  record Prepared() implements PreparationAnswer {}

  /**
   * It prepares.
   *
   * @param eta how long that takes from now, as far as it is known; not negative
   * @param detail in words: "12 of 40 shards moved"
   */
  record Preparing(Duration eta, String detail) implements PreparationAnswer {
    /** Checks the values. */
    public Preparing {
      Objects.requireNonNull(detail, "detail must not be null");
      if (eta.isNegative()) {
        throw new IllegalArgumentException("eta=" + eta + ": allowed is zero or more");
      }
    }
  }

  /**
   * It must not be stopped now. It is asked again, and may answer otherwise.
   *
   * @param reason in words: "no other member is up to date"
   */
  record Refused(String reason) implements PreparationAnswer {
    /** Checks the values. */
    public Refused {
      Objects.requireNonNull(reason, "reason must not be null");
    }
  }

  /** Returns {@link Prepared}. */
  static PreparationAnswer prepared() {
    return new Prepared();
  }

  /** Returns {@link Preparing}. */
  static PreparationAnswer preparing(Duration eta, String detail) {
    return new Preparing(eta, detail);
  }

  /** Returns {@link Refused}. */
  static PreparationAnswer refused(String reason) {
    return new Refused(reason);
  }
}
