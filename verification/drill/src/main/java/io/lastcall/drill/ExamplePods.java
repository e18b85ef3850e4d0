package io.lastcall.drill;

import io.lastcall.rollout.cluster.Fleet;
import io.lastcall.rollout.cluster.Pod;
import io.lastcall.rollout.cluster.Ports;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/**
 * Starts example servers, each in a JVM of its own.
 *
 * @param logs where the pods' logs go, each with {@code name} in front
 */
record ExamplePods(Path jar, Mode mode, DrillSettings settings, Path logs, String name)
    implements Fleet {
  private static final int CLEAN = 0;

  /** Ports and files that only one process can have. */
  private static final Set<String> NOT_FOR_ALL =
      Set.of(
          "PROBE_PORT",
          "NAIVE_PORT",
          "LASTCALL_PROBE_PORT",
          "LASTCALL_READINESS_PORT",
          "LASTCALL_READINESS_FILE",
          "LASTCALL_REPORT_FILE");

  @Override
  public Pod start(int index) throws IOException {
    return start(index, jar, mode, settings, logs.resolve(name + "-pod" + (index + 1) + ".log"));
  }

  @Override
  public void awaitReady(Pod pod) throws InterruptedException {
    pod.awaitReady();
  }

  @Override
  public void rehearse(Pod pod) {
    Rehearsal.of(pod, settings);
  }

  /** Starts the process; {@link Pod#awaitReady} waits until it serves. */
  static Pod start(int index, Path jar, Mode mode, DrillSettings settings, Path log)
      throws IOException {
    Map<String, String> modes = new HashMap<>();
    modes.put("NAIVE", Boolean.toString(mode != Mode.LASTCALL));
    if (mode == Mode.AGENT) {
      modes.put("JAVA_TOOL_OPTIONS", "-javaagent:" + settings.agent().orElseThrow());
    }
    return start(index, jar, modes, settings, log);
  }

  /** Starts one that serves in both modes, without the library on {@code naivePort}. */
  static Pod startInBoth(int naivePort, Path jar, DrillSettings settings, Path log)
      throws IOException {
    Map<String, String> modes = Map.of("NAIVE", "false", "NAIVE_PORT", Integer.toString(naivePort));
    return start(0, jar, modes, settings, log);
  }

  private static Pod start(
      int index, Path jar, Map<String, String> modes, DrillSettings settings, Path log)
      throws IOException {
    int port = Ports.next();
    ProcessBuilder builder = new ProcessBuilder(settings.java().toString(), "-jar", jar.toString());
    Map<String, String> environment = builder.environment();
    environment.put("PORT", Integer.toString(port));
    // Of this process, and one for all of them.
    environment.keySet().removeAll(NOT_FOR_ALL);
    environment.put("LASTCALL_GRACE_PERIOD", settings.grace().toMillis() + "ms");
    environment.put("LASTCALL_PROPAGATION_DELAY", settings.delay().toMillis() + "ms");
    environment.put("LASTCALL_CLEAN_EXIT_CODE", Integer.toString(CLEAN));
    environment.putAll(modes);
    return Pod.start(index, port, builder, "ready on port " + port, log);
  }

  /**
   * Waits for the end, only after {@link Pod#terminate}.
   *
   * @throws IllegalStateException if it was not as it should be
   */
  static Pod.Exit cleanExit(Pod pod) throws InterruptedException, ExecutionException {
    Pod.Exit end = pod.exit().get();
    if (end.code() != CLEAN) {
      throw new IllegalStateException(
          "pod %d ended with exit code %d; see %s"
              .formatted(pod.index() + 1, end.code(), pod.log()));
    }
    return end;
  }
}
