package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** What {@code docs/plan.md} shows is what the library prints for that environment. */
class PlanPrintoutsTest {
  private static final Path PAGE = Path.of("../docs/plan.md");
  private static final Pattern EXAMPLE =
      Pattern.compile("### (.*?)\n.*?```sh\n(.*?)```.*?```text\n(.*?)```", Pattern.DOTALL);

  @TestFactory
  List<DynamicTest> page_everyExample_isWhatIsPrinted() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    Matcher examples = EXAMPLE.matcher(Files.readString(PAGE));
    while (examples.find()) {
      String environment = examples.group(2);
      String printed = examples.group(3);
      tests.add(
          DynamicTest.dynamicTest(
              examples.group(1), () -> assertEquals(printed, print(environment))));
    }
    assertTrue(tests.size() >= 6, "the page's examples were found");
    return tests;
  }

  private static String print(String environment) {
    Map<String, String> set = new LinkedHashMap<>();
    environment
        .lines()
        .map(line -> line.split("=", 2))
        .forEach(variable -> set.put(variable[0], variable[1]));
    String printed;
    try {
      printed = ShutdownPlan.of(new SettingSources(set, new Properties())).table();
    } catch (IllegalArgumentException refusal) {
      printed = refusal.getMessage() + "\n";
    }
    return printed.replace(System.lineSeparator(), "\n");
  }
}
