package io.lastcall.examples.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * Measures what the exit itself costs, with idle keep-alive connections open around it: from the
 * last byte of the last response to the end of the process, without a delay; and from the end of
 * the delay, with nothing in flight. Takes the drill's options; {@code --seeds} is the number of
 * runs.
 */
final class ExitTime {
  private static final int IDLE_CONNECTIONS = 50;
  private static final int LAST_REQUEST_MILLIS = 400;
  private static final Duration DELAY = Duration.ofSeconds(1);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private ExitTime() {}

  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    PrintStream out = System.out;
    List<String> common = List.of(arguments);
    out.printf(
        "%-10s %-34s %5s %8s %8s %8s%n",
        "server", "ms to exit from", "runs", "median", "min", "max");
    DrillSettings atOnce = settings(common, "--delay=0s");
    DrillSettings delayed = settings(common, "--delay=" + DELAY.toMillis() + "ms");
    for (String server : atOnce.servers()) {
      List<Long> afterLastByte = new ArrayList<>();
      List<Long> afterDelay = new ArrayList<>();
      for (int run = 0; run < atOnce.seeds(); run++) {
        afterLastByte.add(exitAfterLastByte(server, atOnce));
        afterDelay.add(exitAfterDelay(server, delayed));
      }
      print(out, server, "the last response's last byte", afterLastByte);
      print(out, server, "the end of the delay, idle", afterDelay);
    }
  }

  private static DrillSettings settings(List<String> common, String delay) {
    List<String> all = new ArrayList<>(common);
    all.add(delay);
    all.add("--max-lateness=0s");
    return CommandLine.parse(all.toArray(String[]::new));
  }

  /** One request is in flight when the signal comes; nothing is awaited behind it. */
  private static long exitAfterLastByte(String server, DrillSettings settings)
      throws IOException, InterruptedException, ExecutionException {
    Pod pod = start(server, settings);
    List<HttpConnection> idle = idleConnections(pod);
    try (HttpConnection last = HttpConnection.open(0, pod.port(), TIMEOUT)) {
      Request request = Request.of(RequestKind.SLOW, LAST_REQUEST_MILLIS);
      last.send(request);
      pod.terminate(settings.grace());
      check(request, last.receive());
      long lastByte = System.nanoTime();
      return pod.exit().get().gone() - lastByte;
    } finally {
      idle.forEach(HttpConnection::close);
    }
  }

  private static long exitAfterDelay(String server, DrillSettings settings)
      throws IOException, InterruptedException, ExecutionException {
    Pod pod = start(server, settings);
    List<HttpConnection> idle = idleConnections(pod);
    try {
      long sigterm = pod.terminate(settings.grace());
      return pod.exit().get().gone() - sigterm - DELAY.toNanos();
    } finally {
      idle.forEach(HttpConnection::close);
    }
  }

  private static Pod start(String server, DrillSettings settings)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile("exit-time-" + server, ".log");
    Pod pod = Pod.start(0, settings.jar(server), Mode.LASTCALL, settings, log);
    pod.awaitReady();
    return pod;
  }

  /** Each has carried a request and is kept alive; the client looks at none of them again. */
  private static List<HttpConnection> idleConnections(Pod pod) throws IOException {
    List<HttpConnection> connections = new ArrayList<>();
    for (int i = 0; i < IDLE_CONNECTIONS; i++) {
      HttpConnection connection = HttpConnection.open(0, pod.port(), TIMEOUT);
      Request request = Request.of(RequestKind.FAST, 0);
      connection.send(request);
      check(request, connection.receive());
      connections.add(connection);
    }
    return connections;
  }

  private static void check(Request request, Reply reply) {
    Outcome outcome = request.judge(reply);
    if (outcome != Outcome.OK) {
      throw new IllegalStateException("A request failed: " + outcome.label());
    }
  }

  private static void print(PrintStream out, String server, String from, List<Long> nanos) {
    double[] millis = nanos.stream().mapToDouble(each -> each / 1e6).sorted().toArray();
    out.printf(
        Locale.ROOT,
        "%-10s %-34s %5d %8.1f %8.1f %8.1f%n",
        server,
        from,
        millis.length,
        Arrays.stream(millis).sorted().skip(millis.length / 2).findFirst().orElseThrow(),
        millis[0],
        millis[millis.length - 1]);
  }
}
