package io.lastcall.agent.trials;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastcall.rollout.RollingUpdate;
import io.lastcall.rollout.RolloutResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Services that nobody built for Lastcall, each rolled under load as it is, and with the agent as
 * an option of its JVM. The table of docs/agent.md is then in {@code target/trials.md}.
 */
@EnabledIfSystemProperty(
    named = "trials",
    matches = ".+",
    disabledReason = "it takes half an hour; -Dtrials='.*' runs it")
@Tag("all")
@Timeout(900)
class AgentTrialsTest {
  private static final String OURS = "-javaagent:" + System.getProperty("agent.jar");
  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Builds BUILDS = new Builds();
  private static final Table TABLE = new Table(subjects());

  static List<Subject> subjects() {
    return Subject.all();
  }

  @AfterAll
  static void writeTable() throws IOException {
    TABLE.write();
  }

  /** A service that loses nothing by itself, as one whose own stop is slow, proves nothing here. */
  @ParameterizedTest
  @MethodSource("subjects")
  void rollout_asItIs_losesRequests(Subject subject) {
    RolloutResult result = verdict(rollout(subject, "without"));

    TABLE.addWithout(subject, result);
    assumeTrue(result.lost() > 0, result::summary);
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void rollout_withTheAgent_losesNothing(Subject subject) throws IOException {
    RolloutResult result = verdict(rollout(subject, "with").environment("JAVA_TOOL_OPTIONS", OURS));

    TABLE.addWith(subject, result);
    assertGood(subject, result);
  }

  /** By what clients saw, and by what the agent says. */
  private static void assertGood(Subject subject, RolloutResult result) throws IOException {
    result
        .assertNothingLost()
        .assertNothingWaitsForKill()
        .assertGoneWithin(GRACE)
        .assertExitCode(subject.exitCode());
    String replaced = result.picture().getFileName().toString().replace(".html", "-pod1.log");
    String log = Files.readString(result.picture().resolveSibling(replaced));
    assertTrue(log.contains("outcome=" + subject.outcome()), log);
  }

  /** The order in which a JVM loads agents is that of its options. */
  @ParameterizedTest
  @CsvSource({"spring-boot-4, true", "spring-boot-4, false", "quarkus, true", "quarkus, false"})
  void rollout_besideOpenTelemetry_losesNothing(String service, boolean isOursFirst)
      throws IOException {
    Optional<Subject> chosen =
        subjects().stream().filter(each -> each.toString().equals(service)).findFirst();
    assumeTrue(chosen.isPresent(), service + " is not among -Dtrials");
    BUILDS.build("opentelemetry");
    String other =
        "-javaagent:"
            + Path.of("services/opentelemetry/target/opentelemetry-javaagent.jar").toAbsolutePath();

    RolloutResult result =
        verdict(
            rollout(chosen.get(), (isOursFirst ? "before" : "after") + "-opentelemetry")
                .environment("OTEL_TRACES_EXPORTER", "none")
                .environment("OTEL_METRICS_EXPORTER", "none")
                .environment("OTEL_LOGS_EXPORTER", "none")
                .environment(
                    "JAVA_TOOL_OPTIONS", isOursFirst ? OURS + " " + other : other + " " + OURS));
    assertGood(chosen.get(), result);
  }

  private static RollingUpdate rollout(Subject subject, String name) {
    BUILDS.build(subject.folder());
    return subject
        .rollout()
        .name(subject + "-" + name)
        .replicas(1) // starting JVMs is most of what a row costs
        .environment("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
        .environment("LASTCALL_GRACE_PERIOD", GRACE.toSeconds() + "s")
        .environment("LASTCALL_PROPAGATION_DELAY", "10s")
        .gracePeriod(GRACE)
        .lastRouterLeaves(Duration.ofSeconds(8))
        .startTimeout(Duration.ofMinutes(5))
        .timeout(Duration.ofSeconds(20)); // Keycloak hashes a password that long on a busy machine
  }

  /** A run without a verdict is no failure of the service. */
  private static RolloutResult verdict(RollingUpdate rollout) {
    RolloutResult result = rollout.run();
    assumeTrue(result.inconclusive().isEmpty(), result::summary);
    return result;
  }
}
