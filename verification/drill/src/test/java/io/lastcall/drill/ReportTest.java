package io.lastcall.drill;

import static io.lastcall.drill.Runs.SECOND;
import static io.lastcall.drill.Runs.SIGTERM;
import static io.lastcall.drill.Runs.exchange;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.load.Outcome;
import io.lastcall.rollout.picture.TimeAxis;
import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What people get to see: the table and the page. */
class ReportTest {
  private static final DrillSettings SETTINGS = Runs.settings();
  private static final DrillResult RESULT =
      new DrillResult(
          SETTINGS,
          List.of(
              Runs.run(
                  Mode.NAIVE,
                  SETTINGS,
                  Runs.SIGTERMED,
                  exchange(0, SIGTERM - SECOND, Outcome.OK),
                  exchange(1, SIGTERM + SECOND, Outcome.RESET),
                  exchange(1, SIGTERM + SECOND, Outcome.REFUSED)),
              Runs.run(
                  Mode.LASTCALL,
                  SETTINGS,
                  Runs.CLEAN,
                  exchange(0, SIGTERM - SECOND, Outcome.OK),
                  exchange(0, SIGTERM + 3 * SECOND, Outcome.OK))));

  private static long occurrences(String text, String part) {
    return Pattern.compile(Pattern.quote(part)).matcher(text).results().count();
  }

  @Test
  void rows_holdTheFigures() {
    assertEquals(
        List.of(
            "tomcat",
            "naive",
            "1",
            "3",
            "1",
            "2",
            "2",
            "0",
            "4.00",
            "4000",
            "-",
            "143",
            "no",
            "2/2",
            "1 refused, 1 reset"),
        ResultTable.rows(RESULT).get(0));
    assertEquals(
        List.of(
            "tomcat",
            "lastcall",
            "1",
            "2",
            "2",
            "0",
            "1",
            "1",
            "4.00",
            "900",
            "0",
            "0",
            "no",
            "2/2",
            "none"),
        ResultTable.rows(RESULT).get(1));
  }

  @Test
  void table_isAligned_andExplainsEachKindOfFailureAndExit() {
    String table = ResultTable.of(RESULT);

    List<String> lines = table.lines().filter(line -> line.contains("  ")).toList();
    int column = lines.get(1).indexOf("lost") + "lost".length();
    assertEquals(" 2", lines.get(2).substring(column - 2, column));
    assertEquals(" 0", lines.get(3).substring(column - 2, column));
    for (String word : List.of("naive: ", "exit code 143: ", "refused: ", "eof: ", "truncated: ")) {
      assertTrue(table.contains(word), word);
    }
  }

  @Test
  void table_leavesToThePageWhatTheTerminalDoesNotExplain() throws IOException {
    String page = HtmlPage.of(RESULT);

    for (String head : List.of("said", "last byte", "idle to", "own delay")) {
      assertFalse(ResultTable.of(RESULT).contains(head), head);
      assertTrue(page.contains("<th>" + head), head);
    }
  }

  @Test
  void verdict_saysWhoLostWhat() {
    String verdict = ResultTable.verdict(RESULT);

    assertTrue(verdict.contains("tomcat   without Lastcall:      2 of 3 requests lost"), verdict);
    assertTrue(verdict.contains("tomcat   with    Lastcall:      0 of 2 requests lost"), verdict);
  }

  @Test
  void verdict_namesSigkillAndExitsThatAreNotClean() {
    RunResult killed = Runs.run(Mode.LASTCALL, SETTINGS, Runs.SIGKILLED);
    RunResult cut = Runs.run(Mode.LASTCALL, SETTINGS, Runs.CUT_SHORT);

    String verdict = ResultTable.verdict(new DrillResult(SETTINGS, List.of(killed, cut, cut)));

    assertTrue(verdict.contains("SIGKILL in 1 of 3 runs"), verdict);
    assertTrue(verdict.contains("exit code 80 in 2 of 3 runs"), verdict);
  }

  @Test
  void verdict_withNodesThatNeverLearn_countsWhatIsExcused() {
    DrillSettings settings = Runs.settings("--never-leave=1", "--last-stretch=9s");
    RunResult run =
        Runs.run(
            Mode.LASTCALL,
            settings,
            Runs.CLEAN,
            exchange(1, SIGTERM + 3 * SECOND, Outcome.UNAVAILABLE),
            exchange(1, SIGTERM + 5 * SECOND, Outcome.UNROUTABLE));

    String verdict = ResultTable.verdict(new DrillResult(settings, List.of(run)));

    assertTrue(verdict.contains("0 of 2 requests lost"), verdict);
    assertTrue(verdict.contains("; 1 refused to nodes that never learn"), verdict);
    assertTrue(verdict.contains("; 1 answered 503, the first 3.00 s after SIGTERM"), verdict);
  }

  @Test
  void page_showsNaiveAboveLastcall_withPhasesFailuresAndTicks() throws IOException {
    String page = HtmlPage.of(RESULT);

    assertTrue(page.indexOf("<b>Without Lastcall</b>") < page.indexOf("<b>With Lastcall</b>"));
    assertEquals(2, occurrences(page, "<path class=\"failed\""));
    assertTrue(page.contains("reset: fast from node 2 on a new connection, sent 1.00 s after"));
    assertTrue(page.contains(">keep serving</span>"));
    assertTrue(page.contains(">drain</span>"));
    assertEquals(2, occurrences(page, "<path class=\"leave\""));
    assertTrue(page.contains("<ul class=\"legend\">"));
    assertTrue(page.contains("prefers-color-scheme: dark"));
  }

  @Test
  void page_nothingLostAndAnUncleanExit_isNotGreen() throws IOException {
    RunResult cut = Runs.run(Mode.LASTCALL, SETTINGS, Runs.CUT_SHORT);

    String page = HtmlPage.of(new DrillResult(SETTINGS, List.of(cut)));

    String end = "0</b> of 0 lost, exit code 80 in 1 of 1 runs<br>";
    assertTrue(page.contains("<p class=\"bad\"><b>" + end), page);
    assertTrue(
        page.contains("<span class=\"bad\">0 lost, exit code 80 in 1 of 1 runs</span>"), page);
    assertFalse(page.contains("Without Lastcall"), "not run");
  }

  @Test
  void page_fetchesNothing_andRunsNothing() throws IOException {
    String page = HtmlPage.of(RESULT);

    for (String outside : List.of("http:", "https:", "url(", "@import", "<script", "src=")) {
      assertFalse(page.contains(outside), outside);
    }
  }

  @Test
  void page_escapesWhatCameFromOutside() throws IOException {
    String page = HtmlPage.of(RESULT);

    assertTrue(page.contains("&lt;detail&gt;"));
    assertFalse(page.contains("<detail>"));
  }

  @Test
  void axis_isTheSameForAllRuns_andKeepsEverythingWithin() {
    TimeAxis axis = TimeAxis.over(RESULT.runs().stream().map(RunResult::recording).toList());

    assertEquals(0, axis.x(-100 * SECOND));
    assertEquals(TimeAxis.UNITS, axis.x(100 * SECOND));
    assertTrue(axis.x(0) > 0 && axis.x(4 * SECOND) < TimeAxis.UNITS);
  }
}
