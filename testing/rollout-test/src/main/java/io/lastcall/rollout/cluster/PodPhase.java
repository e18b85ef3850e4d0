package io.lastcall.rollout.cluster;

import java.util.Locale;
import java.util.regex.Pattern;

/** The phases of a pod with Lastcall, in their order, and what it logs as each begins. */
public enum PodPhase {
  KEEP_SERVING("Shutdown begun by"),
  FAIL_READINESS("Readiness fails now"),
  DRAIN("DRAIN waits for"),
  CLOSE_CONNECTIONS("Closing \\d"),
  EXIT("Shutdown \\w+ after");

  private final Pattern words;

  PodPhase(String words) {
    this.words = Pattern.compile(words);
  }

  boolean beginsWith(String line) {
    return words.matcher(line).find();
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
