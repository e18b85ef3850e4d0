package io.lastcall.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.ManualTicker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** When SIGKILL comes, to the millisecond: no time passes between the signal and the answer. */
@Timeout(120)
class FoundDeadlineTest {
  private static final String SIDECAR =
      "{\"containers\":[{\"name\":\"web\"}],"
          + "\"initContainers\":[{\"name\":\"mesh\",\"restartPolicy\":\"Always\"}]}";

  @TempDir private Path folder = Path.of("unset");
  private final ManualTicker ticker = new ManualTicker();
  private final FixedControl control = new FixedControl(ticker);

  /** Returns when SIGKILL comes after the signal; 30 s where nothing was shortened. */
  private Duration killed(int secondsAgo, int grace, String spec) throws Exception {
    return killed(secondsAgo, grace, spec, watch -> watch.ending(control));
  }

  private Duration killed(int secondsAgo, int grace, String spec, Consumer<PodWatch> event)
      throws Exception {
    Instant now = Instant.parse("2026-11-28T02:00:59Z");
    String date = DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atOffset(ZoneOffset.UTC));
    String deletion = FakeApiServer.deletion(now.plusSeconds(grace - secondsAgo), grace);
    String body = FakeApiServer.pod(deletion, spec);
    try (RawApiServer raw = new RawApiServer(folder, "Date: " + date + "\r\n", body)) {
      event.accept(new PodWatch(raw.client(), ticker));
      Awaitility.await().until(() -> raw.answered() && PodWatchTest.threads().findAny().isEmpty());
    }
    return control.killed;
  }

  static Stream<Arguments> gracePeriods() {
    return Stream.of(2, 5, 15)
        .flatMap(
            grace ->
                Stream.of(0, 1, 2).map(ago -> Arguments.of(ago, grace, Duration.ofSeconds(grace))));
  }

  /** Whichever way two cut seconds fall: the kubelet counts from the signal. */
  @ParameterizedTest
  @MethodSource("gracePeriods")
  void ending_signalIsTheKubeletsFirstAct_theWholeGracePeriodIsLeft(
      int secondsAgo, int grace, Duration left) throws Exception {
    assertEquals(left, killed(secondsAgo, grace, FakeApiServer.NO_HOOK));
    assertEquals(Duration.ZERO, control.waited);
  }

  @ParameterizedTest
  @MethodSource("gracePeriods")
  void ending_preStopMayHaveRun_theApiServersSecondsCount(int secondsAgo, int grace, Duration left)
      throws Exception {
    Duration whole = left.minusSeconds(secondsAgo).minusMillis(500);
    Duration least = Duration.ofSeconds(2);
    assertEquals(
        whole.compareTo(least) < 0 ? least : whole,
        killed(secondsAgo, grace, FakeApiServer.PRE_STOP));
  }

  /** A sidecar gets its signal after the others; a late trigger may be none of the kubelet's. */
  @ParameterizedTest
  @CsvSource({
    "0, 5, sidecar, 4500, 0",
    "0, 5, unknown, 4500, 0",
    "3, 5, plain, 2000, 2500",
    "3, 15, plain, 11500, 2500",
    "9, 30, plain, 20500, 8500",
    "40, 30, plain, 2000, 39500",
    "0, 1, plain, 2000, 0",
    "0, 1, hook, 2000, 0",
    "0, 29, plain, 29000, 0",
    "0, 29, hook, 30000, 0",
    "0, 31, plain, 30000, 0"
  })
  void ending_signalThatIsNotTheFirstActOrLate_theApiServersSecondsCount(
      int secondsAgo, int grace, String spec, long millis, long waited) throws Exception {
    String json =
        switch (spec) {
          case "sidecar" -> SIDECAR;
          case "hook" -> FakeApiServer.PRE_STOP;
          case "plain" -> FakeApiServer.NO_HOOK;
          default -> "null";
        };
    assertEquals(Duration.ofMillis(millis), killed(secondsAgo, grace, json));
    assertEquals(Duration.ofMillis(waited), control.waited);
  }

  /** The kubelet has counted since a signal that this process never got. */
  @Test
  void ending_signalWasLostBeforeTheStart_theApiServersSecondsCount() throws Exception {
    Duration killed =
        killed(
            1,
            5,
            FakeApiServer.NO_HOOK,
            watch -> {
              watch.installed(control);
              Awaitility.await().until(() -> !control.asked.isEmpty());
              watch.ending(control);
            });
    assertEquals(Duration.ofMillis(3_500), killed);
  }
}
