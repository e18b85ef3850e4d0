package io.lastcall.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each says what is wrong and what is allowed, and leaves no process. */
@Timeout(120)
class BadInputTest {
  private final Path folder;

  BadInputTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @AfterEach
  void leavesNoProcess() {
    assertFalse(Services.isAnyLeft());
  }

  private RollingUpdate rollout(String... command) {
    return RollingUpdate.of(command).output(folder).load(LoadRequest.get("/fast"));
  }

  private RollingUpdate service(String mutant) {
    return Services.rollout(Service.class, mutant).output(folder);
  }

  private static String refused(RollingUpdate rollout) {
    return "" + assertThrows(RuntimeException.class, rollout::run).getMessage();
  }

  private static void assertSays(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
  }

  @Test
  void command_isMissing() {
    assertSays(refused(rollout()), "no command", "allowed is a program");
  }

  @Test
  void command_doesNotStart() {
    assertSays(
        refused(rollout("no-such-program", "{port}")),
        "[no-such-program, {port}] does not start",
        "Allowed is a program of the PATH");
  }

  @Test
  void command_hasNoPort() {
    assertSays(refused(rollout("java", "-jar", "a.jar")), "no {port}", "--server.port={port}");
  }

  @Test
  void environment_isAPods() {
    RollingUpdate rollout = rollout("sh", "-c", "echo host $KUBERNETES_SERVICE_HOST", "{port}");
    assertSays(refused(rollout), "host 10.0.0.1");
    assertSays(refused(rollout.environment("KUBERNETES_SERVICE_HOST", "none")), "host none");
  }

  @Test
  void load_isMissing() {
    assertSays(refused(service("NONE")), "no load", "load(LoadRequest.get(");
  }

  @Test
  void preStop_takesTheGracePeriod() {
    assertSays(
        refused(rollout("a", "{port}").preStop(Duration.ofSeconds(30))),
        "preStop 30 s",
        "grace period of 30 s");
  }

  @Test
  void command_endsAtOnce() {
    assertSays(
        refused(service("DIES").load(LoadRequest.get("/fast"))),
        "Pod 1 ended with exit code 7 before it was ready",
        "no database",
        "rollout-pod1.log");
  }

  @Test
  void command_neverGetsReady() {
    assertSays(
        refused(
            service("NEVER_READY")
                .load(LoadRequest.get("/fast"))
                .startTimeout(Duration.ofSeconds(5))),
        "did not get ready within 5 s",
        "/readyz answers with",
        "allowed is 200 to 399",
        "serves as NEVER_READY");
  }

  @Test
  void path_answers404BeforeTheRollout() {
    assertSays(
        refused(service("NONE").load(LoadRequest.get("/missing"))),
        "GET /missing is answered with status 404 by pod 1 before the rollout",
        "expected is 200 to 399",
        "expect(...)");
  }

  @Test
  void heldPath_answers404BeforeTheRollout() {
    assertSays(
        refused(service("NONE").load(LoadRequest.webSocket("/missing"))),
        "WebSocket /missing is answered with status 404 by pod 1 before the rollout",
        "expected is status 101");
    assertSays(
        refused(service("NONE").load(LoadRequest.eventStream("/missing"))),
        "event stream /missing is answered with status 404",
        "expected is status 200");
  }

  @Test
  void answer_takesLongerThanTheTimeout() {
    assertSays(
        refused(service("NONE").timeout(Duration.ofMillis(100)).load(LoadRequest.get("/work"))),
        "GET /work is answered with timeout",
        "raise timeout(...)");
  }

  @Test
  void command_leavesItsServiceBehind() {
    assertSays(
        refused(rollout("sh", "-c", "sleep 0 & exit 0", "{port}")),
        "ended with exit code 0 before it was ready",
        "stay in the foreground");
  }

  @Test
  void port_isInUse() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> words = new ArrayList<>(Services.java(Service.class, "NONE"));
      words.set(words.indexOf("{port}"), Integer.toString(taken.getLocalPort()));
      words.add("{port}");

      assertSays(
          refused(rollout(words.toArray(String[]::new))), "A port was in use", "{port:NAME}");
    }
  }

  @Test
  void readyPort_isNotInTheCommand() {
    assertSays(
        refused(service("NONE").load(LoadRequest.get("/fast")).readyPort("management")),
        "readyPort 'management'",
        "{port:NAME}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--get=fast | path 'fast': not allowed",
        "--get=/fast@0 | rate 0.0: allowed is above 0",
        "--get=/fast@many | --get=many: not a number; allowed: PATH[@RATE]",
        "--getter=/ | --getter=/: unknown option",
        "--get=/fast --grace=30 | --grace=30: not a whole number with a unit",
        "--get=/fast --grace=1ms | gracePeriod 1 ms: allowed is 1 s to 1 h",
        "--get=/fast --replicas=11 | replicas 11: allowed is 1 to 10",
        "--get=/fast --seed=1 --seed=2 | --seed=2: given twice, before as 1",
        "--get=/fast --protocol=http3 | --protocol=http3: no such protocol",
        "--get=/fast --port-property=p | the command is 'node', not java",
        "--get=/fast --keep-alive=2 | keepAlive 2.0: allowed is 0 to 1",
        "--get=/fast --header=a | --header=a: no colon",
        "--get=/fast --env=a | --env=a: no name",
        "--get=/fast --tls=yes | --tls=yes: neither true nor false",
        "--get=/fast --exit-code=ok | --exit-code=ok: not a whole number",
        "fast | options have the form --key=value"
      })
  void option_isWrong_isRefusedWithWhatIsAllowed(String options, String message) {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    List<String> arguments = new ArrayList<>(List.of(options.split(" ")));
    arguments.addAll(List.of("--", "node", "{port}"));

    assertEquals(2, RolloutCommand.run(out, out, arguments.toArray(String[]::new)));
    assertSays(said.toString(StandardCharsets.UTF_8), "could not be run: ", message);
  }

  @Test
  void help_namesEveryOption() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);

    assertEquals(0, RolloutCommand.run(out, out, "--help"));
    for (CommandOption option : CommandOption.values()) {
      assertSays(said.toString(StandardCharsets.UTF_8), "--" + option.key() + "=");
    }
  }
}
