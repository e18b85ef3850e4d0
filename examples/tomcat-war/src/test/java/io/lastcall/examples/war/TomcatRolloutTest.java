package io.lastcall.examples.war;

import static io.lastcall.rollout.LoadRequest.get;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.RollingUpdate;
import io.lastcall.rollout.RolloutResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tomcat by its own script, with the built WAR, rolled under load. */
@Timeout(300)
class TomcatRolloutTest {
  private static final Path TOMCAT = Path.of(System.getProperty("tomcat.folder"));
  private static final Duration GRACE = ofSeconds(20);

  @Test
  void rollout_losesNothing_andTheApplicationsStepRuns() throws IOException {
    RolloutResult result = rollout("with", "server.xml").ready("/orders/readyz").run();

    result.assertNothingLost().assertGoneWithin(GRACE).assertExitCode(0);
    Path replaced = result.picture().resolveSibling("war-with-pod1.log");
    assertTrue(Files.readString(replaced).contains("The outbox is flushed"), replaced::toString);
  }

  @Tag("all")
  @Test
  void rollout_withoutTheTwoLines_losesRequests() throws IOException {
    List<String> lines = Files.readAllLines(TOMCAT.resolve("conf/server.xml"));
    List<String> others =
        lines.stream()
            .filter(line -> !line.contains("LastcallListener"))
            .map(line -> line.replace("io.lastcall.servlet.tomcat.LastcallProtocol", "HTTP/1.1"))
            .toList();
    assertEquals(lines.size() - 1, others.size());
    Files.write(TOMCAT.resolve("conf/without.xml"), others);

    RolloutResult result = rollout("without", "without.xml").ready("/orders/1").run();

    assertTrue(result.lost() > 0, result::summary);
  }

  private static RollingUpdate rollout(String name, String configuration) {
    return RollingUpdate.of(
            "sh",
            TOMCAT.resolve("bin/catalina.sh").toString(),
            "run",
            "-config",
            "conf/" + configuration)
        .name("war-" + name)
        .replicas(1)
        .environment("JAVA_HOME", System.getProperty("java.home"))
        .environment("CATALINA_OPTS", "-Dhttp.port={port} -XX:TieredStopAtLevel=1")
        .environment("LASTCALL_GRACE_PERIOD", GRACE.toSeconds() + "s")
        .environment("LASTCALL_PROPAGATION_DELAY", "4s")
        .gracePeriod(GRACE)
        .lastRouterLeaves(ofSeconds(3))
        .startTimeout(ofMinutes(3))
        .load(get("/orders/1").rate(50));
  }
}
