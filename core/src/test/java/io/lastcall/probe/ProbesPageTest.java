package io.lastcall.probe;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.ManualTicker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What {@code docs/probes.md} shows as answers is what the probes answer. */
class ProbesPageTest {
  private static final Path PAGE = Path.of("../docs/probes.md");
  private static final Pattern ANSWER =
      Pattern.compile(
          "```http\n(\\w+) (\\S+)(?: Accept: (\\S+))?\n(\\d{3})\n(.*?)```", Pattern.DOTALL);

  /** The sections, by their headings, and how the process stands in them. */
  private static final Map<String, Stand> STANDS =
      Map.of(
          "Ready, with a condition `database`", new Stand(true, Optional.empty(), Optional.empty()),
          "The condition fails", new Stand(true, Optional.empty(), Optional.of("no connection")),
          "Before `started()`", new Stand(false, Optional.empty(), Optional.empty()),
          "After the propagation delay",
              new Stand(true, Optional.of("shutting down"), Optional.empty()));

  @TestFactory
  List<DynamicTest> page_everyAnswer_isWhatIsAnswered() throws IOException {
    String page = Files.readString(PAGE);
    List<DynamicTest> tests = new ArrayList<>();
    STANDS.forEach(
        (heading, stand) -> {
          String start = "### " + heading + "\n";
          assertEquals(2, page.split(Pattern.quote(start), -1).length, "one section " + heading);
          String section = page.substring(page.indexOf(start)).split("\n##", 2)[0];
          Matcher answers = ANSWER.matcher(section);
          while (answers.find()) {
            tests.add(test(heading, stand, answers.toMatchResult()));
          }
        });
    assertEquals(page.split("```http\n", -1).length - 1, tests.size(), "answers shown and tested");
    return tests;
  }

  private static DynamicTest test(String heading, Stand stand, MatchResult shown) {
    String method = shown.group(1);
    String target = shown.group(2);
    Optional<String> accept = Optional.ofNullable(shown.group(3));
    return DynamicTest.dynamicTest(
        heading + ": " + method + " " + target + accept.orElse(""),
        () -> {
          ManualTicker ticker = new ManualTicker();
          Probes probes = new Probes(stand, ProbeToken.none(), ticker);
          // The first one is in the first round.
          probes.condition(ProbeKind.READINESS, "database", stand::database);
          ticker.awaitParkedUntil("lastcall-conditions", Duration.ofSeconds(1));
          ProbeRequest request = new ProbeRequest(method, target, accept, Optional.empty());
          ProbeAnswer answer = probes.answer(request).toCompletableFuture().join();
          probes.endConditions();
          assertEquals(shown.group(4), Integer.toString(answer.status()));
          assertEquals(shown.group(5).strip(), answer.body().strip());
        });
  }

  private record Stand(boolean isStarted, Optional<String> unready, Optional<String> database)
      implements ProbeSubject {
    @Override
    public boolean isEnding() {
      return unready.isPresent();
    }

    @Override
    public CompletionStage<?> preStop(Wait wait) {
      return new CompletableFuture<>();
    }

    @Override
    public void takeOutOfService(boolean on) {}
  }
}
