package io.lastcall.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes the rows as Markdown, between two markers of a page. */
final class Table {
  private static final String BEGIN = "<!-- faults: begin -->";
  private static final String END = "<!-- faults: end -->";
  private static final int LONGEST_WARNING = 100;

  private Table() {}

  static void write(String summary, List<Row> rows, Path page) throws IOException {
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN) + BEGIN.length();
    int end = text.indexOf(END);
    if (begin < BEGIN.length() || end < begin) {
      throw new IOException(page + " has no '" + BEGIN + "' followed by '" + END + "'");
    }
    Files.writeString(
        page,
        text.substring(0, begin)
            + "\n\n"
            + summary
            + "\n\n"
            + of(rows)
            + "\n"
            + text.substring(end));
  }

  static String of(List<Row> rows) {
    StringBuilder text =
        new StringBuilder("| Broken | What happened | Exit | Gone after | Lost | Records |\n")
            .append("|---|---|---|---|---|---|\n");
    String kind = "";
    for (Row row : rows) {
      if (!row.fault().kind.equals(kind)) {
        kind = row.fault().kind;
        text.append("| **").append(kind).append("** | | | | | |\n");
      }
      text.append(row.result().map(result -> line(row, result)).orElseGet(() -> blank(row)));
    }
    return text.toString();
  }

  private static String line(Row row, Result result) {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %.1f s | %s | %s |\n",
        name(row.fault()),
        cell(happened(row, result)),
        result.code(),
        result.seconds(),
        result.sent() == 0 ? "-" : result.lost() + " of " + result.sent(),
        Row.records(result.records()));
  }

  private static String blank(Row row) {
    return "| %s | %s | | | | |\n"
        .formatted(name(row.fault()), cell(row.remark().lines().findFirst().orElse("")));
  }

  private static String name(Fault fault) {
    String server =
        switch (fault.server) {
          case TOMCAT -> " (Tomcat)";
          case NETTY -> " (Netty)";
          case NONE -> " (no server)";
        };
    return cell(fault.name) + server;
  }

  private static String happened(Row row, Result result) {
    Right right = row.fault().right;
    StringBuilder text = new StringBuilder(end(result));
    if (!result.records().warning().isEmpty()) {
      text.append(": ").append(result.records().warning());
      if (text.length() > LONGEST_WARNING) {
        text.setLength(LONGEST_WARNING);
        text.append("...");
      }
    }
    for (Pattern words : row.fault().told) {
      Matcher told = words.matcher(result.records().words());
      if (told.find()) {
        text.append("; *told*: ").append(told.group());
      }
    }
    right
        .mayLose()
        .filter(why -> result.lost() > 0)
        .ifPresent(why -> text.append("; lost: ").append(why));
    right.withoutWhy().ifPresent(why -> text.append("; ").append(why));
    right.notSurvived().ifPresent(why -> text.append("; **not survived**: ").append(why));
    if (row.isRed()) {
      text.append("; **wrong**, right is: ").append(String.join(", ", row.reds()));
    }
    return text.toString();
  }

  private static String end(Result result) {
    if (result.killed()) {
      return "killed";
    }
    return switch (result.code()) {
      case Right.CLEAN, Right.STOPPED -> "ended by itself";
      case Right.HALTED -> "halted";
      default -> "ended";
    };
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ");
  }
}
