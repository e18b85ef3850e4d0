package io.lastcall;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.phase.Phase;
import io.lastcall.process.CapturedLog;
import io.lastcall.process.FakeJvm.Ending;
import io.lastcall.process.Threads;
import io.lastcall.testing.FreePort;
import io.lastcall.testing.RawClient;
import java.net.ConnectException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The probes' own port and file answer to the end, and cost the exit nothing. */
@Timeout(120)
class ProbeEndTest {
  private static final Set<String> PROBING = Set.of("lastcall-probes", "lastcall-readiness");

  @RegisterExtension final CapturedLog log = new CapturedLog();
  private final Harness harness = new Harness();
  private final Set<Thread> others = Threads.alive();

  private List<String> probing() {
    return Threads.alive().stream()
        .filter(thread -> !others.contains(thread))
        .map(Thread::getName)
        .filter(PROBING::contains)
        .sorted()
        .toList();
  }

  @Test
  void exit_probesAnswerInThePhaseExitAndTheirThreadsHaveEndedBeforeIt(@TempDir Path folder)
      throws Exception {
    List<Integer> answers = new CopyOnWriteArrayList<>();
    int port = FreePort.next();
    harness.environment.put("LASTCALL_PROBE_PORT", Integer.toString(port));
    harness.environment.put("LASTCALL_READINESS_FILE", folder.resolve("ready").toString());
    harness
        .builder()
        .step(
            Phase.EXIT,
            "kubelet",
            context -> {
              answers.add(RawClient.status(port, "GET /livez"));
              answers.add(RawClient.status(port, "GET /readyz"));
            });
    harness.install();
    assertEquals(PROBING.stream().sorted().toList(), probing());
    Harness.join(harness.jvm.raise("TERM"));
    harness.passKeepServing();
    assertEquals(new Ending("exit", 0), harness.jvm.awaitEnding());
    assertEquals(List.of(200, 503), answers);
    // One that is left in select costs the exit of the JVM 300 ms.
    assertEquals(List.of(), probing());
    assertThrows(ConnectException.class, () -> RawClient.status(port, "GET /livez"));
  }
}
