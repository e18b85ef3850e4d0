package io.lastcall.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.rollout.cluster.PodHistory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small drill on the real servers, as they were packaged before this module. */
@Timeout(300)
class ServersTest {
  private final Path folder;

  ServersTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @ParameterizedTest
  @ValueSource(strings = {"tomcat", "jetty", "undertow", "netty"})
  void run_withLastcall_losesNothingWhereTheNaiveServerLoses(String server) throws Exception {
    DrillResult result = run(server);
    RunResult naive = result.runs().get(0);
    RunResult lastcall = result.runs().get(1);
    assertTrue(!naive.lost().isEmpty(), () -> ResultTable.of(result));
    assertEquals(List.of(), lastcall.lost(), () -> ResultTable.of(result));
    assertEquals(
        List.of(0, 0),
        lastcall.terminations().stream().map(PodHistory.Termination::exitCode).toList());
    assertTrue(result.passed(), () -> ResultTable.of(result));
  }

  /** Every request that was admitted is completed, however long some routers go on. */
  @Tag("all")
  @ParameterizedTest
  @ValueSource(strings = {"tomcat", "netty"})
  void run_routersThatNeverLeave_loseOnlyWhatComesInTheLastStretch(String server) throws Exception {
    DrillResult result = run(server, "--naive=false", "--never-leave=4");
    RunResult run = result.runs().get(0);
    assertTrue(result.passed(), () -> ResultTable.of(result));
    assertTrue(!run.failures().isEmpty(), () -> "nobody was left out\n" + ResultTable.of(result));
  }

  private DrillResult run(String server, String... more) throws Exception {
    assumeTrue(
        Files.exists(ExampleServer.jar(server)),
        server + ".jar is not packaged: run mvn verify, which packages it before this test");
    List<String> options =
        new ArrayList<>(
            List.of(
                "--servers=" + server,
                "--examples=" + ExampleServer.SUBJECTS,
                "--output=" + folder.resolve("page.html"),
                "--rate=100",
                "--nodes=20",
                "--grace=30s",
                "--delay=4s",
                "--max-lateness=1600ms", // the rest of the delay is for a machine that stalls
                "--timeout=30s", // slow is not lost
                "--warm-up=500ms",
                "--step=500ms"));
    options.addAll(List.of(more));
    return Drill.run(CommandLine.parse(options.toArray(String[]::new)));
  }
}
