package io.lastcall.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {

  @Test
  void parse_nothing_givesTheDefaults() {
    DrillSettings settings = CommandLine.parse();

    assertEquals(List.of("tomcat", "netty"), settings.servers());
    assertEquals(1, settings.seeds());
    assertEquals(Duration.ofSeconds(4), settings.delay());
    assertEquals(Duration.ofMillis(3200), settings.maxLateness());
    assertEquals(List.of(Mode.NAIVE, Mode.LASTCALL), settings.modes());
    assertEquals(
        Path.of("verification/drill/subjects/tomcat/target/tomcat.jar"), settings.jar("tomcat"));
  }

  @Test
  void parse_everyDefault_isAllowed() {
    String[] all =
        Arrays.stream(Option.values())
            .filter(option -> !option.initial().isEmpty())
            .map(option -> "--" + option.key() + "=" + option.initial())
            .toArray(String[]::new);

    assertEquals(CommandLine.parse(), CommandLine.parse(all));
  }

  @Test
  void parse_values_areTaken() {
    DrillSettings settings =
        CommandLine.parse(
            "--servers=netty",
            "--seed=-7",
            "--grace=1m",
            "--delay=500ms",
            "--max-lateness=2s",
            "--nodes=5",
            "--never-leave=5",
            "--naive=false",
            "--keep-alive=0.25");

    assertEquals(List.of("netty"), settings.servers());
    assertEquals(-7, settings.seed());
    assertEquals(Duration.ofMinutes(1), settings.grace());
    assertEquals(Duration.ofMillis(500), settings.delay());
    assertEquals(Duration.ofSeconds(2), settings.maxLateness());
    assertEquals(5, settings.neverLeave());
    assertFalse(settings.naive());
    assertEquals(0.25, settings.keepAliveShare());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--rate=0         | --rate=0: out of range; allowed: 1 to 5000",
        "--rate=many      | --rate=many: not a whole number; allowed: 1 to 5000",
        "--rate=          | --rate=: not a whole number; allowed: 1 to 5000",
        "--grace=30       | --grace=30: not a whole number with a unit (ms, s, m, h); allowed:",
        "--grace=-3s      | --grace=-3s: not a whole number with a unit",
        "--grace=999999h  | --grace=999999h: out of range; allowed: 100ms to 1h",
        "--delay=12s      | --delay=12s: not below --grace=12s; allowed: 0s to 1h, below --grace",
        "--never-leave=41 | --never-leave=41: out of range; allowed: 0 to --nodes",
        "--naive=yes      | --naive=yes: neither true nor false; allowed: true or false",
        "--keep-alive=1.1 | --keep-alive=1.1: out of range; allowed: 0 to 1",
        "--keep-alive=NaN | --keep-alive=NaN: not a number; allowed: 0 to 1",
        "--servers=a,,b   | --servers=a,,b: '' is not a folder name; allowed: names of built servers",
        "--servers=../x   | --servers=../x: '../x' is not a folder name; allowed: names of built servers",
        "--output=        | --output=: empty; allowed: a file name",
        "--java=/no/java  | --java=/no/java: no such executable; allowed: an executable file",
        "--last-stretch=1h| --last-stretch=1h: out of range; allowed: 0s to --grace",
        "--rat=3          | --rat=3: unknown option --rat; the nearest is --rate",
        "--RATE=3         | --RATE=3: unknown option --RATE;",
        "--rate           | --rate: options have the form --key=value",
        "rate=3           | rate=3: options have the form --key=value",
      })
  void parse_badValue_isRefusedWithKeyValueAndWhatIsAllowed(String argument, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> CommandLine.parse(argument));

    assertTrue(String.valueOf(refused.getMessage()).startsWith(message), refused::getMessage);
  }

  @Test
  void parse_sameOptionTwice_isRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> CommandLine.parse("--seed=1", "--seed=2"));

    assertTrue(
        String.valueOf(refused.getMessage()).startsWith("--seed=2: given twice, before as 1"),
        refused::getMessage);
  }

  @Test
  void help_namesEveryOption() {
    for (Option option : Option.values()) {
      assertTrue(Option.help().contains("--" + option.key() + "="), option::key);
    }
  }

  @Test
  void run_serverThatIsNotBuilt_isRefusedBeforeAnythingStarts() {
    DrillSettings settings = CommandLine.parse("--servers=tomcat", "--examples=/no/such/folder");

    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Drill.run(settings));

    assertTrue(
        String.valueOf(refused.getMessage()).contains("tomcat.jar is not there"),
        refused::getMessage);
  }
}
