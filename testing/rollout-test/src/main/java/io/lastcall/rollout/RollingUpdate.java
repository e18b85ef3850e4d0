package io.lastcall.rollout;

import io.lastcall.rollout.cluster.Recording;
import io.lastcall.rollout.cluster.Rollout;
import io.lastcall.rollout.cluster.RolloutPlan;
import io.lastcall.rollout.load.LoadSettings;
import io.lastcall.rollout.load.LongLivedRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A rolling update of any service, under load, without a cluster: real processes, real signals, a
 * modelled data plane. {@link #run} starts the command once per pod, replaces one pod after the
 * other as a Deployment with maxSurge 1 does, and counts every request.
 *
 * <p>A pod gets SIGTERM, routers go on sending to it until each has learned, established
 * connections stay until the service or their client ends them, and SIGKILL comes when the grace
 * period is over. As in a container, a SIGTERM that the command's first process has no handler for
 * is dropped (Linux).
 *
 * <p>Mutable until {@code run}, and not thread-safe. {@code run} blocks, for the pods' start and
 * some 20 s more. Processes are its own: they are gone when it returns, and also when the JVM ends.
 */
public final class RollingUpdate {
  private static final int NODES = 20;
  private static final int IDLE_PER_NODE = 3;
  private static final Duration WARM_UP = Duration.ofSeconds(2);
  private static final Duration STEP = Duration.ofMillis(1500);
  private static final Duration TAIL = Duration.ofSeconds(1);
  private static final Duration HOUR = Duration.ofHours(1);

  /** HTTP/2's first window of a stream, which the clients do not exceed. */
  private static final int LONGEST_HTTP2_BODY = 65_535;

  /** By it a service may know that it runs in a pod, as Lastcall does. */
  private static final Map<String, String> OF_EVERY_POD =
      Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");

  private final List<String> command = new ArrayList<>();
  private final Map<String, String> environment = new LinkedHashMap<>(OF_EVERY_POD);
  private final List<LoadRequest> requests = new ArrayList<>();
  private Path directory = Path.of("");
  private Path output = Path.of("target", "rollout-test");
  private String name = "rollout";
  private String ready = "/readyz";
  private String readyPort = "";
  private int replicas = 2;
  private long seed = 1;
  private Duration grace = Duration.ofSeconds(30);
  private Duration lastRouterLeaves = Duration.ofSeconds(8);
  private Duration preStop = Duration.ZERO;
  private Duration startTimeout = Duration.ofSeconds(60);
  private Duration timeout = Duration.ofSeconds(8);
  private boolean http2;
  private boolean tls;
  private Consumer<String> progress = line -> {};

  RollingUpdate() {}

  /** A rolling update of this command; see {@link #command}. */
  public static RollingUpdate of(String... command) {
    return new RollingUpdate().command(command);
  }

  /**
   * The command that starts one pod and stays in the foreground, with its arguments. {@code {port}}
   * in an argument or in the environment becomes the pod's port, {@code {port:NAME}} a further one.
   */
  public RollingUpdate command(String... words) {
    command.clear();
    command.addAll(List.of(words));
    return this;
  }

  /**
   * A variable of the pods' environment, which is otherwise that of this process, and {@code
   * KUBERNETES_SERVICE_HOST}, which every pod has.
   */
  public RollingUpdate environment(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** Where the command runs; the current folder by default. */
  public RollingUpdate directory(Path folder) {
    directory = folder;
    return this;
  }

  /** The path that answers 200 to 399 when a pod is ready; {@code /readyz} by default. */
  public RollingUpdate ready(String path) {
    ready = LoadRequest.get(path).path();
    return this;
  }

  /** The {@code {port:NAME}} at which readiness is asked; {@code {port}} by default. */
  public RollingUpdate readyPort(String portName) {
    readyPort = portName;
    return this;
  }

  /** How many pods are replaced, 1 to 10; 2 by default. Twice as many processes are started. */
  public RollingUpdate replicas(int count) {
    if (count < 1 || count > 10) {
      throw new IllegalArgumentException("replicas " + count + ": allowed is 1 to 10");
    }
    replicas = count;
    return this;
  }

  /** From a pod's removal to SIGKILL, 1 s to 1 h; 30 s by default, as on Kubernetes. */
  public RollingUpdate gracePeriod(Duration period) {
    grace = checked("gracePeriod", period, Duration.ofSeconds(1), HOUR);
    return this;
  }

  /**
   * When the last router has learned that a pod is going, after its removal; 8 s by default, 0 to 1
   * h. Half of the routers have after a quarter of it.
   */
  public RollingUpdate lastRouterLeaves(Duration after) {
    lastRouterLeaves = checked("lastRouterLeaves", after, Duration.ZERO, HOUR);
    return this;
  }

  /**
   * From a pod's removal to SIGTERM: what a {@code preStop} hook that sleeps takes of the grace
   * period. 0 by default.
   */
  public RollingUpdate preStop(Duration sleep) {
    preStop = checked("preStop", sleep, Duration.ZERO, HOUR);
    return this;
  }

  /** HTTP/2 in place of HTTP/1.1: with prior knowledge, or by ALPN with {@link #tls}. */
  public RollingUpdate http2() {
    http2 = true;
    return this;
  }

  /** TLS, with any certificate; readiness is asked so too. */
  public RollingUpdate tls() {
    tls = true;
    return this;
  }

  /** Requests, WebSockets, or event streams; each call adds. */
  public RollingUpdate load(LoadRequest request) {
    requests.add(request);
    return this;
  }

  /** How long a pod may take to get ready, 1 s to 1 h; 60 s by default. */
  public RollingUpdate startTimeout(Duration longest) {
    startTimeout = checked("startTimeout", longest, Duration.ofSeconds(1), HOUR);
    return this;
  }

  /** How long a client waits for bytes before it gives a request up, 100 ms to 1 h; 8 s. */
  public RollingUpdate timeout(Duration longest) {
    timeout = checked("timeout", longest, Duration.ofMillis(100), HOUR);
    return this;
  }

  /** Decides the times of requests and of routers; 1 by default. */
  public RollingUpdate seed(long value) {
    seed = value;
    return this;
  }

  /** The folder of the picture and of the pods' logs; {@code target/rollout-test} by default. */
  public RollingUpdate output(Path folder) {
    output = folder;
    return this;
  }

  /** What the files in the output folder are named after; {@code rollout} by default. */
  public RollingUpdate name(String fileName) {
    name = fileName.replaceAll("[^A-Za-z0-9._-]", "-");
    return this;
  }

  RollingUpdate progress(Consumer<String> lines) {
    progress = lines;
    return this;
  }

  private static Duration checked(String key, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s %s: allowed is %s to %s"
              .formatted(key, Words.of(value), Words.of(least), Words.of(most)));
    }
    return value;
  }

  /**
   * Rolls. Where the machine was too busy for a verdict it tries once more, at half of the rate.
   *
   * @throws IllegalArgumentException if settings do not fit: a command without {@code {port}}, no
   *     load, a preStop that takes the whole grace period
   * @throws IllegalStateException if a pod does not start, does not get ready, or does not answer
   *     as expected before the rollout; the message has the end of its log
   */
  public RolloutResult run() {
    check();
    try {
      RolloutResult result = roll(1);
      if (result.inconclusive().isPresent()) {
        progress.accept("Inconclusive: " + result.inconclusive().get());
        progress.accept("Once more, at half of the rate.");
        result = roll(0.5);
      }
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The rollout was interrupted", e);
    }
  }

  private RolloutResult roll(double share) throws IOException, InterruptedException {
    RolloutPlan plan =
        new RolloutPlan(
            replicas, NODES, seed, grace, lastRouterLeaves, 0, preStop, true, WARM_UP, STEP, TAIL);
    LoadSettings settings = new LoadSettings(http2, tls, IDLE_PER_NODE, true, timeout, grace);
    ServicePods pods = new ServicePods(service(), requests, settings);
    Mix mix = new Mix(timed(), share, NODES, seed);
    try (Rollout rollout = new Rollout(plan, pods, mix, settings, progress)) {
      for (LoadRequest each : requests) {
        if (each.type() != LoadRequest.Type.REQUEST) {
          rollout.hold(held(each));
        }
      }
      Recording recording = rollout.run();
      return RolloutResult.of(recording, plan, output.resolve(name + ".html"));
    }
  }

  private List<LoadRequest> timed() {
    return requests.stream().filter(each -> each.type() == LoadRequest.Type.REQUEST).toList();
  }

  static LongLivedRequest held(LoadRequest request) {
    return request.type() == LoadRequest.Type.WEB_SOCKET
        ? LongLivedRequest.webSocket(request.path(), request.headers(), request.open())
        : LongLivedRequest.eventStream(request.path(), request.headers(), request.open());
  }

  private ServicePods.Service service() {
    return new ServicePods.Service(
        command, environment, directory, ready, readyPort, startTimeout, output.resolve(name));
  }

  private void check() {
    if (command.isEmpty() || command.get(0).isBlank()) {
      throw new IllegalArgumentException(
          "no command: allowed is a program and its arguments, as java, -jar, orders.jar");
    }
    boolean port =
        command.stream().anyMatch(word -> word.contains("{port}"))
            || environment.values().stream().anyMatch(value -> value.contains("{port}"));
    if (!port) {
      throw new IllegalArgumentException(
          "no {port} in the command "
              + command
              + " nor in the environment: each pod needs a port of its own. Allowed is {port} in"
              + " any argument, as --server.port={port}, or in a variable, as"
              + " environment(\"PORT\", \"{port}\")");
    }
    if (requests.isEmpty()) {
      throw new IllegalArgumentException(
          "no load: allowed is at least one request, as load(LoadRequest.get(\"/orders/1\"))");
    }
    if (preStop.compareTo(grace) >= 0) {
      throw new IllegalArgumentException(
          "preStop %s: not below the grace period of %s, within which it runs"
              .formatted(Words.of(preStop), Words.of(grace)));
    }
    for (LoadRequest each : requests) {
      if (http2 && each.length() > LONGEST_HTTP2_BODY) {
        throw new IllegalArgumentException(
            "%s with a body of %d bytes: allowed with HTTP/2 is up to %d"
                .formatted(each.label(), each.length(), LONGEST_HTTP2_BODY));
      }
    }
  }
}
