package io.lastcall.propagation;

import java.time.Duration;
import java.util.Optional;

/**
 * Whether a silence shows that no router sends here any more.
 *
 * @param silence how long it must last; empty if none shows it
 * @param words the traffic that the silence is evidence against, or why none is, for the log
 */
public record Evidence(Optional<Duration> silence, String words) {

  /** Returns that there is none, since too little of the traffic is known. */
  public static Evidence tooEarly(long seconds) {
    return none(
        "silence is evidence only against the traffic of %d s, and there are %d s of it"
            .formatted(ArrivalHistory.SECONDS, seconds));
  }

  static Evidence none(String why) {
    return new Evidence(Optional.empty(), why);
  }
}
