package io.lastcall.plan;

import java.util.List;
import java.util.Locale;

/**
 * A setting that there is no more. A value for it is refused, since ignoring it would change what a
 * shutdown does without a word.
 *
 * @param name its name in the plan
 * @param instead what holds instead
 */
record FormerSetting(String name, String instead) {
  private static final List<FormerSetting> ALL =
      List.of(
          new FormerSetting("propagation-error", "the accepted probability is 0.01"),
          new FormerSetting(
              "late-cutoff", "new requests get 503 in the last 5s of DRAIN, at most half of it"),
          new FormerSetting(
              "close-window",
              "long-lived connections are told to close over at most 2s, at most half of"
                  + " close-timeout"));

  /**
   * Refuses a name of one of them, however it is spelt.
   *
   * @param name a name in the plan, or that of a variable or property
   * @param origin where it is set, and to what, for the message
   * @throws IllegalArgumentException naming origin, setting, and what holds instead
   */
  static void refuse(String name, String origin) {
    for (FormerSetting former : ALL) {
      if (letters(name).equals(letters(former.name))) {
        throw new IllegalArgumentException(
            "%s: there is no setting %s any more: %s; allowed: remove it"
                .formatted(origin, former.name, former.instead));
      }
    }
  }

  private static String letters(String name) {
    return name.toLowerCase(Locale.ROOT).replaceFirst("^lastcall[._]", "").replaceAll("[._-]", "");
  }
}
