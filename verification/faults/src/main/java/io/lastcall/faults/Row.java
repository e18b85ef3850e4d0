package io.lastcall.faults;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A fault in the table.
 *
 * @param reds what is not as it should be
 * @param remark why it was skipped, or could not be made
 */
record Row(Fault fault, Optional<Result> result, List<String> reds, String remark) {

  Row {
    reds = List.copyOf(reds);
  }

  static Row of(Result result) {
    return new Row(result.fault(), Optional.of(result), Verdict.reds(result), "");
  }

  static Row skipped(Fault fault, String why) {
    return new Row(fault, Optional.empty(), List.of(), "not run: " + why);
  }

  static Row failed(Fault fault, Exception e) {
    return new Row(fault, Optional.empty(), List.of("a run"), "not run to its end: " + e);
  }

  boolean isRed() {
    return !reds.isEmpty();
  }

  boolean isSkipped() {
    return result.isEmpty() && !isRed();
  }

  /** For the terminal. */
  String line() {
    String state = isRed() ? "RED" : isSkipped() ? "skip" : "ok";
    return "%-4s %s  %s%s"
        .formatted(
            state,
            fault,
            result.map(Row::figures).orElse(remark),
            isRed() ? "; right: " + String.join(", ", reds) : "");
  }

  private static String figures(Result result) {
    return String.format(
        Locale.ROOT,
        "exit %d, %.1f s, lost %d of %d, %s",
        result.code(),
        result.seconds(),
        result.lost(),
        result.sent(),
        records(result.records()));
  }

  /** One word where all records agree. */
  static String records(Records records) {
    String log = records.log().orElse("nothing");
    String file = records.file().orElse("nothing");
    String message = records.message().orElse("nothing");
    boolean writable = !message.equals(Records.NOT_WRITABLE);
    if (log.equals(file) && (!writable || log.equals(message))) {
      return (writable ? "all: " : "log, file: ") + log;
    }
    return "log: " + log + ", file: " + file + ", message: " + message;
  }
}
