package io.lastcall.rollout;

import io.lastcall.rollout.cluster.ClusterNode;
import io.lastcall.rollout.cluster.Fleet;
import io.lastcall.rollout.cluster.Pod;
import io.lastcall.rollout.cluster.Ports;
import io.lastcall.rollout.cluster.Probing;
import io.lastcall.rollout.load.Arrival;
import io.lastcall.rollout.load.Client;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.HttpConnection;
import io.lastcall.rollout.load.LoadSettings;
import io.lastcall.rollout.load.LongLivedRequest;
import io.lastcall.rollout.load.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** Starts the user's command, once per pod, and tries each pod before the rollout. */
final class ServicePods implements Fleet {
  private static final Pattern PORT = Pattern.compile("\\{port(?::([A-Za-z0-9_-]+))?}");
  private static final long POLL_NANOS = 100_000_000L;
  private static final int LAST_LINES = 15;

  /** For requests of each kind before the load: what a readiness gate would have warmed. */
  private static final long WARM_UP_NANOS = 200_000_000L;

  private final Service service;
  private final List<LoadRequest> requests;
  private final LoadSettings settings;
  private final Map<Integer, Probing> probings = new HashMap<>();

  /**
   * What is started.
   *
   * @param logs the logs' path without the pod's number
   */
  record Service(
      List<String> command,
      Map<String, String> environment,
      Path directory,
      String ready,
      String readyPort,
      Duration startTimeout,
      Path logs) {}

  ServicePods(Service service, List<LoadRequest> requests, LoadSettings settings) {
    this.service = service;
    this.requests = requests;
    this.settings = settings;
  }

  @Override
  public Pod start(int index) throws IOException {
    Map<String, Integer> ports = new HashMap<>();
    ports.put("", Ports.next());
    ProcessBuilder builder =
        new ProcessBuilder(service.command().stream().map(word -> filled(word, ports)).toList());
    service
        .environment()
        .forEach((name, value) -> builder.environment().put(name, filled(value, ports)));
    builder.directory(service.directory().toAbsolutePath().toFile());
    int readyPort = ports.getOrDefault(service.readyPort(), -1);
    if (readyPort < 0) {
      throw new IllegalArgumentException(
          "readyPort '%s': allowed are the names in the command's and environment's {port:NAME}"
              .formatted(service.readyPort()));
    }
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), readyPort);
    probings.put(index, new Probing(address, service.ready(), settings.tls()));
    Path log = Path.of(service.logs().toAbsolutePath() + "-pod" + (index + 1) + ".log");
    Files.createDirectories(log.getParent());
    try {
      return Pod.start(index, ports.getOrDefault("", 0), builder, null, log);
    } catch (IOException e) {
      throw new IllegalStateException(
          "The command %s does not start: %s. Allowed is a program of the PATH, or a file that may"
                  .formatted(service.command(), e.getMessage())
              + " be executed, seen from "
              + service.directory().toAbsolutePath(),
          e);
    }
  }

  private static String filled(String text, Map<String, Integer> ports) {
    return PORT.matcher(text)
        .replaceAll(
            match -> {
              String name = match.group(1) == null ? "" : match.group(1);
              return Integer.toString(ports.computeIfAbsent(name, ServicePods::port));
            });
  }

  private static int port(String name) {
    try {
      return Ports.next();
    } catch (IOException e) {
      throw new IllegalStateException("no port for {port:" + name + "}", e);
    }
  }

  @Override
  public Probing probing(Pod pod) {
    return probings.getOrDefault(pod.index(), Probing.none());
  }

  @Override
  public void awaitReady(Pod pod) throws InterruptedException {
    long end = System.nanoTime() + service.startTimeout().toNanos();
    String answer = "nothing";
    while (true) {
      pod.noteDescendants();
      if (!pod.isAlive()) {
        throw notReady(
            pod, "ended with exit code " + pod.exitCode() + " before it was ready", endedHint(pod));
      }
      try {
        int status = probing(pod).ask();
        answer = status == 0 ? "no HTTP/1.1" : "status " + status;
        if (status >= 200 && status < 400) {
          break;
        }
      } catch (IOException e) {
        answer = "" + e.getMessage();
      }
      if (System.nanoTime() - end > 0) {
        throw notReady(
            pod,
            "did not get ready within %s: %s answers with %s, allowed is 200 to 399"
                .formatted(Words.of(service.startTimeout()), service.ready(), answer),
            settings.http2()
                ? " Readiness is asked by HTTP/1.1, as a kubelet asks: where this port speaks HTTP/2"
                    + " alone, name another one, {port:NAME}, by readyPort."
                : "");
      }
      LockSupport.parkNanos(POLL_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Its own port was free a moment ago, so it is another one that it wants. */
  private static String endedHint(Pod pod) {
    if (pod.exitCode() == 0) {
      return " The command has to stay in the foreground until its service ends: one that leaves it"
          + " behind as a daemon gets no SIGTERM for it.";
    }
    String log = tail(pod);
    return Pattern.compile("already in use|EADDRINUSE|BindException", Pattern.CASE_INSENSITIVE)
            .matcher(log)
            .find()
        ? " A port was in use: the pods run on one machine, so each port of theirs has to be"
            + " {port}, or {port:NAME} for further ones."
        : "";
  }

  private IllegalStateException notReady(Pod pod, String what, String hint) {
    return new IllegalStateException(
        "Pod %d %s.%s The end of its log, %s:%n%s"
            .formatted(pod.index() + 1, what, hint, pod.log(), tail(pod)));
  }

  private static String tail(Pod pod) {
    try {
      pod.close();
      List<String> lines = Files.readAllLines(pod.log(), StandardCharsets.UTF_8);
      return lines.isEmpty()
          ? "(empty)"
          : String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    } catch (IOException e) {
      return "(not readable: " + e.getMessage() + ")";
    }
  }

  /** A wrong path is found before the rollout, and not taken for a loss. */
  @Override
  public void rehearse(Pod pod) {
    ClusterNode node = new ClusterNode();
    node.join(pod.index());
    ExecutorService threads = Executors.newCachedThreadPool();
    try (Client client = Client.of(settings, node, any -> pod.address(), threads)) {
      for (LoadRequest request : requests) {
        if (request.type() == LoadRequest.Type.REQUEST) {
          long end = System.nanoTime() + WARM_UP_NANOS;
          do {
            one(pod, client, request);
          } while (System.nanoTime() - end < 0);
        } else {
          held(pod, RollingUpdate.held(request));
        }
      }
    } finally {
      threads.shutdown();
    }
  }

  private void held(Pod pod, LongLivedRequest held) {
    LoadSettings http1 =
        new LoadSettings(false, settings.tls(), 0, false, settings.timeout(), settings.timeout());
    String answer;
    try (HttpConnection connection = HttpConnection.open(0, pod.address(), http1)) {
      connection.send(held.request(), false);
      int status = connection.receiveHead();
      if (status == held.firstStatus()) {
        return;
      }
      answer = status == 0 ? "no HTTP/1.1" : "status " + status;
    } catch (SocketTimeoutException e) {
      return; // a stream may say nothing at all before its first event
    } catch (IOException e) {
      answer = "" + e.getMessage();
    }
    throw new IllegalStateException(
        "%s is answered with %s by pod %d before the rollout; expected is status %d, by HTTP/1.1."
                .formatted(held.request().kind(), answer, pod.index() + 1, held.firstStatus())
            + " Check the path. Its log: "
            + pod.log());
  }

  private static void one(Pod pod, Client client, LoadRequest request) {
    Arrival arrival = new Arrival(0, 0, Mix.of(request), false, 0);
    for (Exchange exchange : client.call(arrival, System.nanoTime())) {
      if (exchange.failed()) {
        throw new IllegalStateException(
            "%s is answered with %s by pod %d before the rollout; expected is %s. Check the path, or"
                    .formatted(
                        request.label(),
                        exchange.status() == 0
                            ? exchange.outcome().label() + " (" + exchange.detail() + ")"
                            : "status " + exchange.status(),
                        pod.index() + 1,
                        request.expectation())
                + " name the status by expect(...)"
                + (exchange.outcome() == Outcome.TIMEOUT
                    ? ", or raise timeout(...) above the longest answer. Its log: "
                    : ". Its log: ")
                + pod.log());
      }
    }
  }
}
