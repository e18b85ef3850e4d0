package io.lastcall.manifests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets the stop signal, and which options the JVM has, from a container's words. */
class CommandLineTest {
  private static CommandLine of(String yaml) {
    List<Yaml> documents = new ArrayList<>();
    YamlTree.read("web.yaml", 0, yaml, documents::add, problem -> {});
    Yaml container = documents.get(0);
    return CommandLine.of(container, new Environment(container, name -> Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[java, -jar, a.jar]",
        "[./start.sh]",
        "[sh, ./start.sh]",
        "[bash, -c, java -jar a.jar]",
        "[bash, -c, TZ=UTC java -jar a.jar]",
        "[sh, -c, exec java -jar a.jar]",
        "[sh, -c, 'TZ=UTC exec java -jar a.jar']",
        "[sh, -c, 'if test -f a; then exec java -jar a.jar; fi']",
        "[sh, -c, 'test -f x || exec java -jar a.jar']",
        "[sh, -c, 'test -f x && exec java -jar a.jar']",
        "[sh, -c, 'cd /app; exec java -jar a.jar > /tmp/log 2>&1']",
        "[bash, -c, 'exec java -jar a.jar > >(tee /tmp/log) 2>&1']",
        "[bash, -euo, pipefail, -c, exec java -jar a.jar]",
        "[bash, -o, pipefail, -c, exec java -jar a.jar]",
        "[sh, -c, 'case $X in a) exec java -jar a.jar ;; *) exec java -jar b.jar;; esac']",
        "[sh, -c, '{ exec java -jar a.jar; }']",
        "[sh, -c, 'exec env X=1 java -jar a.jar']",
        "[sh, -c, 'exec -a web java -jar a.jar']",
        "[sh, -c, 'exec \"$@\"', --, java]",
        "[sh, -c, '. /env; eval exec java $OPTIONS -jar a.jar']",
        "[sh, -c, \"trap 'kill -TERM $P' TERM; java -jar a.jar & P=$!; wait $P; wait $P\"]",
        "[sh, -c, \"cat > f <<EOF\\necho 'it''s\\nEOF\\nexec java -jar a.jar\"]",
        "[sh, -c, \"# don't\\nexec java -jar a.jar\"]",
        "[sh, -c, 'X=$(cat f | head -1) exec java -jar a.jar']",
        "[sh, -c, 'exec bash -c \"java -jar a.jar\"']",
        "[tini, -g, --, sh, -c, java -jar a.jar]",
        "[dumb-init, sh, -c, java -jar a.jar]",
        "[tini, --, java, -jar, a.jar]",
        "[sh, -c, $START]"
      })
  void deafShell_programHearsTheSignal_isNone(String command) {
    assertEquals(Optional.empty(), of("command: " + command).deafShell());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[sh, -c, java -jar a.jar]",
        "[bash, -lc, java -jar a.jar; echo ended]",
        "[sh, -exc, java -jar a.jar]",
        "[/usr/bin/env, bash, -c, java -jar a.jar; true]",
        "[/usr/bin/env, -i, A=b, sh, -c, java -jar a.jar]",
        "[tini, --, sh, -c, java -jar a.jar]",
        "[dumb-init, -c, sh, -c, java -jar a.jar]",
        "[bash, -c, java -jar a.jar > /tmp/log]",
        "[bash, -c, ./wait.sh && java -jar a.jar]",
        "[sh, -c, 'exec 2>&1; java -jar a.jar']",
        "[sh, -c, 'exec > /tmp/log; java -jar a.jar']",
        "[sh, -c, exec java -jar a.jar | tee /tmp/log]",
        "[sh, -c, exec java -jar a.jar |& tee /tmp/log]",
        "[sh, -c, '{ exec java -jar a.jar; } | tee /tmp/log']",
        "[sh, -c, (exec java -jar a.jar)]",
        "[sh, -c, exec java -jar a.jar & wait]",
        "[sh, -c, 'java -jar a.jar # exec java']",
        "[sh, -c, \"echo 'exec java'; java -jar a.jar\"]",
        "[sh, -c, \"cat > f <<EOF\\nexec java\\nEOF\\njava -jar a.jar\"]",
        "[sh, -c, 'X=$(exec cat f); java -jar a.jar']",
        "[sh, -c, 'exec sh -c \"java -jar a.jar; true\"']",
        "[bash, -c, 'if true; then java -jar a.jar; fi']",
        "[bash, --login, -c, java -jar a.jar; true]"
      })
  void deafShell_shellStays_isNamed(String command) {
    Optional<String> shell = of("command: " + command).deafShell();
    assertEquals(true, shell.isPresent(), command);
  }

  @Test
  void deafShell_commandInArguments_isSeen() {
    assertEquals(Optional.of("sh"), of("args: [sh, -c, java -jar a.jar]").deafShell());
  }

  @Test
  void javaOptions_areThoseBeforeTheProgram() {
    assertEquals(
        List.of("-Xmx1g", "-Dlastcall.grace-period=90s"),
        of("command: [java, -Xmx1g, -Dlastcall.grace-period=90s, -jar, a.jar, -Da=b]")
            .javaOptions());
    assertEquals(
        List.of("-cp", "-Da=b"),
        of("command: [java, -cp, '/app/*', -Da=b, io.shop.Main, -Dc=d]").javaOptions());
  }

  @Test
  void javaOptions_variablesComeFirst_sinceTheCommandLineCounts() {
    String yaml =
        """
        command: [sh, -c, 'exec java $MORE "-Dc=$D" -jar a.jar']
        env:
        - {name: JAVA_TOOL_OPTIONS, value: "-Da=1 -Db=2"}
        - {name: MORE, value: "-Da=3 -Xrs"}
        - {name: D, value: "4"}
        """;
    assertEquals(List.of("-Da=1", "-Db=2", "-Da=3", "-Xrs", "-Dc=4"), of(yaml).javaOptions());
  }

  @Test
  void springArguments_areThoseOfTheLibrary() {
    assertEquals(
        List.of("lastcall.grace-period=60s"),
        of("args: [-jar, a.jar, --server.port=1, --lastcall.grace-period=60s]").springArguments());
  }
}
