package io.lastcall.manifests;

import java.util.Optional;

/**
 * The Pod's grace period.
 *
 * @param seconds what the rules reckon with: the default where the value is refused
 * @param refusal why no cluster takes the value as it is meant
 */
record GracePeriod(int seconds, Optional<String> refusal) {
  private static final int DEFAULT = 30;

  static GracePeriod of(Yaml value) {
    Optional<String> text = value.text();
    if (!value.isPresent()) {
      return new GracePeriod(DEFAULT, Optional.empty());
    }
    if (value.isText || text.isEmpty()) {
      return refused("the API server refuses it: it wants whole seconds, without quotes or a unit");
    }
    Optional<Integer> number = value.number();
    if (number.isEmpty()) {
      return refused(
          text.get().matches("[-+]?\\d+")
              ? "it is more than 31 years, and a kubelet's nanoseconds overflow after 292"
              : "the API server refuses it: it wants whole seconds");
    }
    return number.get() < 0
        ? refused("it is negative: an API server refuses it, or makes 1 s of it")
        : new GracePeriod(number.get(), Optional.empty());
  }

  private static GracePeriod refused(String why) {
    return new GracePeriod(DEFAULT, Optional.of(why));
  }
}
