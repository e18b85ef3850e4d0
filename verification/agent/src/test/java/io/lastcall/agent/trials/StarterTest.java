package io.lastcall.agent.trials;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Spring Boot service that brings Lastcall by the starter, in an image with the agent. */
@Tag("all")
class StarterTest {
  private static final String READY = "'spring' of /readyz passes";

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void sigterm_theShutdownIsTheStarters_withTheAgentAndWithout(boolean hasAgent)
      throws IOException, InterruptedException {
    Process service = start(hasAgent);
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
      List<String> lines = new ArrayList<>();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
        if (line.contains(READY)) {
          service.toHandle().destroy(); // Process.destroy() closes its output, too
        }
      }

      String log = String.join("\n", lines);
      assertEquals(0, service.waitFor(), log);
      assertEquals(1, count(lines, "Shutdown plan"), log);
      assertEquals(1, count(lines, "Shutdown clean"), log);
      assertEquals(1, count(lines, "io.lastcall.spring.ContextClose"), log);
      assertEquals(hasAgent ? 1 : 0, count(lines, "Lastcall's agent"), log);
      assertEquals(
          hasAgent ? 1 : 0,
          count(lines, "agent steps aside: the application installs Lastcall itself"),
          log);
    } finally {
      service.destroyForcibly();
    }
  }

  private static Process start(boolean hasAgent) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    if (hasAgent) {
      command.add("-javaagent:" + System.getProperty("agent.jar"));
    }
    command.addAll(List.of("-jar", System.getProperty("starter.jar"), "--server.port=0"));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("LASTCALL_"));
    environment.remove("KUBERNETES_SERVICE_HOST");
    environment.remove("JAVA_TOOL_OPTIONS"); // the JVM's line about it has the agent's name
    environment.put("LASTCALL_GRACE_PERIOD", "60s");
    environment.put("LASTCALL_PROPAGATION_DELAY", "1s");
    return builder.start();
  }

  private static long count(List<String> lines, String text) {
    return lines.stream().filter(line -> line.contains(text)).count();
  }
}
