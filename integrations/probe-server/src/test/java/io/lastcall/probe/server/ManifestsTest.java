package io.lastcall.probe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.plan.Setting;
import io.lastcall.plan.SettingSources;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.ProbeRequest;
import io.lastcall.probe.Probes;
import io.lastcall.testing.FixedProbes;
import io.lastcall.time.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The manifests of {@code docs/probes.md} and of the README: their environment is a plan that fits
 * their grace period, and what they have the kubelet ask is there under that plan.
 */
class ManifestsTest {
  private static final Path PAGE = Path.of("../../docs/probes.md");
  private static final Path README = Path.of("../../README.md");
  private static final int SERVICE_PORT = 8080;

  private static List<MatchResult> all(String pattern, String text) {
    return Pattern.compile(pattern, Pattern.DOTALL).matcher(text).results().toList();
  }

  private static Optional<String> one(String pattern, String text) {
    return all(pattern, text).stream().findFirst().map(found -> found.group(1));
  }

  @TestFactory
  List<DynamicTest> page_everyManifest_fitsThePlanItMakes() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (MatchResult shown :
        all("```yaml\n(.*?)```", Files.readString(PAGE) + Files.readString(README))) {
      String manifest = shown.group(1);
      tests.add(DynamicTest.dynamicTest("manifest " + (tests.size() + 1), () -> check(manifest)));
    }
    assertTrue(tests.size() >= 9, "the pages' manifests were found");
    return tests;
  }

  private static void check(String manifest) {
    Map<String, String> environment = new HashMap<>(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));
    all("\\{name: (LASTCALL_\\w+), value: \"?([^\"}]+)\"?\\}", manifest)
        .forEach(variable -> environment.put(variable.group(1), variable.group(2)));
    // Refuses what does not fit.
    Setting<?>[] others = {ProbePort.PORT, ReadinessSigns.FILE, ReadinessSigns.PORT};
    ShutdownPlan plan = ShutdownPlan.of(new SettingSources(environment, new Properties(), others));
    new ReadinessSigns().check(plan);

    assertEquals(
        Optional.of(plan.gracePeriod().toSeconds() + ""),
        one("terminationGracePeriodSeconds: (\\d+)", manifest));
    assertEquals(
        plan.preStopDelay(),
        Duration.ofSeconds(
            Long.parseLong(one("sleep: \\{seconds: (\\d+)\\}", manifest).orElse("0"))));
    assertEquals(
        plan.value(ReadinessSigns.FILE).value().map(Path::toString),
        one("test, -e, ([^\\]]+)\\]", manifest));
    for (MatchResult port : all("\\b(?:port|containerPort): (\\d+)", manifest)) {
      int number = Integer.parseInt(port.group(1));
      assertTrue(
          number == SERVICE_PORT
              || plan.value(ProbePort.PORT).value().equals(Optional.of(number))
              || plan.value(ReadinessSigns.PORT).value().equals(Optional.of(number)),
          port.group());
    }
    checkPaths(manifest, plan);
  }

  private static void checkPaths(String manifest, ShutdownPlan plan) {
    Probes probes =
        new Probes(new FixedProbes(() -> true, () -> true), plan.preStopToken(), Ticker.system());
    Optional<String> token =
        one("\\{name: " + ProbeRequest.TOKEN_HEADER + ", value: ([^}]+)\\}", manifest);
    for (MatchResult path : all("path: ([^\\s,}]+)", manifest)) {
      ProbeRequest request = new ProbeRequest("GET", path.group(1), Optional.empty(), token);
      assertEquals(
          200, probes.answer(request).toCompletableFuture().join().status(), path.group(1));
    }
  }
}
