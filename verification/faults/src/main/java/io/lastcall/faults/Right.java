package io.lastcall.faults;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What has to come of a fault: the exit code, whether requests may be lost, which records must be
 * left. All of Lastcall's codes and outcomes stand here, and nowhere else.
 *
 * @param mayLose why requests may be lost
 * @param without the records that may be missing, or say something else
 * @param withoutWhy why they may
 * @param notSurvived why this ends as no shutdown should
 */
record Right(
    List<Integer> codes,
    Optional<String> mayLose,
    Set<Records.Kind> without,
    Optional<String> withoutWhy,
    Optional<String> notSurvived) {
  static final int CLEAN = 0;
  static final int EXITED_BY_APPLICATION = 7;
  static final int HALTED_BY_APPLICATION = 9;
  static final int HANDED_BACK = 75;
  static final int INCOMPLETE = 80;
  static final int HALTED = 81;
  static final int HANGUP = 129;
  static final int INTERRUPTED = 130;
  static final int KILLED = 137;

  /** A stop signal in start-up, or without a server: as without Lastcall. */
  static final int STOPPED = 143;

  /** What a JVM exits with that has {@code -XX:+ExitOnOutOfMemoryError}. */
  static final int OUT_OF_MEMORY = 3;

  Right {
    codes = List.copyOf(codes);
    without = Set.copyOf(without);
  }

  static Right code(Integer... codes) {
    return new Right(
        List.of(codes), Optional.empty(), Set.of(), Optional.empty(), Optional.empty());
  }

  static Right clean() {
    return code(CLEAN);
  }

  static Right incomplete() {
    return code(INCOMPLETE);
  }

  static Right halted() {
    return code(HALTED);
  }

  Right mayLose(String why) {
    return new Right(codes, Optional.of(why), without, withoutWhy, notSurvived);
  }

  Right noRecord(String why) {
    return without(EnumSet.allOf(Records.Kind.class), why);
  }

  Right noLog(String why) {
    return without(EnumSet.of(Records.Kind.LOG), why);
  }

  Right noFile(String why) {
    return without(EnumSet.of(Records.Kind.FILE), why);
  }

  Right noMessage(String why) {
    return without(EnumSet.of(Records.Kind.MESSAGE), why);
  }

  Right onlyLog(String why) {
    return without(EnumSet.of(Records.Kind.FILE, Records.Kind.MESSAGE), why);
  }

  private Right without(Set<Records.Kind> kinds, String why) {
    return new Right(codes, mayLose, kinds, Optional.of(why), notSurvived);
  }

  Right notSurvived(String why) {
    return new Right(codes, mayLose, without, withoutWhy, Optional.of(why));
  }

  /** Returns what the records must call a shutdown with this exit code; empty for any. */
  static Optional<String> outcome(int code) {
    return switch (code) {
      case CLEAN, STOPPED -> Optional.of("CLEAN");
      case HANDED_BACK -> Optional.of("HANDED_BACK");
      case INCOMPLETE -> Optional.of("INCOMPLETE");
      case HALTED -> Optional.of("HALTED");
      default -> Optional.empty();
    };
  }
}
