package io.lastcall.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Compares what came of a fault with what is right. */
final class Verdict {
  private Verdict() {}

  /** Returns what is not as it should be; empty if all is. */
  static List<String> reds(Result result) {
    Right right = result.fault().right;
    List<String> reds = new ArrayList<>();
    if (!right.codes().contains(result.code())) {
      reds.add("exit " + codes(right));
    }
    if (result.killed() && !right.codes().contains(Right.KILLED)) {
      reds.add("gone before SIGKILL");
    }
    if (result.lost() > 0 && right.mayLose().isEmpty()) {
      reds.add("0 lost");
    }
    for (Pattern words : result.fault().told) {
      if (!words.matcher(result.records().words()).find()) {
        reds.add("log '" + words + "'");
      }
    }
    if (right.notSurvived().isEmpty()) {
      records(result, reds);
    }
    return reds;
  }

  private static String codes(Right right) {
    return String.join(" or ", right.codes().stream().map(String::valueOf).toList());
  }

  private static void records(Result result, List<String> reds) {
    Optional<String> right = Right.outcome(result.code());
    for (Records.Kind kind : Records.Kind.values()) {
      Optional<String> is = result.records().of(kind);
      boolean possible =
          !result.fault().right.without().contains(kind)
              && !is.equals(Optional.of(Records.NOT_WRITABLE));
      if (possible && (is.isEmpty() || (right.isPresent() && !is.equals(right)))) {
        reds.add(kind.name().toLowerCase(Locale.ROOT) + " " + right.orElse("written"));
      }
    }
  }
}
