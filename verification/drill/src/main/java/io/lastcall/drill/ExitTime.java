package io.lastcall.drill;

import io.lastcall.rollout.cluster.Pod;
import io.lastcall.rollout.load.HttpConnection;
import io.lastcall.rollout.load.Outcome;
import io.lastcall.rollout.load.Reply;
import io.lastcall.rollout.load.Request;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * Measures what the exit itself costs, with idle keep-alive connections open around it: from the
 * last byte of the last response to the end of the process, without a delay; with nothing in
 * flight, from the end of a delay, and from the signal without one; and counts how many of those
 * connections the server did not end by FIN. The first argument, if it is a number, is how many
 * they are, 50 if not; then come the drill's options, but for {@code --delay} and {@code
 * --max-lateness}, which are its own; {@code --seeds} is the number of runs.
 */
final class ExitTime {
  private static final int LAST_REQUEST_MILLIS = 400;
  private static final Duration DELAY = Duration.ofSeconds(1);

  /** Long enough for the process to have started everything. */
  private static final Duration UP = Duration.ofSeconds(4);

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final int connections;
  private int withoutFin;

  private ExitTime(int connections) {
    this.connections = connections;
  }

  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    List<String> options = List.of(arguments);
    boolean counted = !options.isEmpty() && options.get(0).chars().allMatch(Character::isDigit);
    int connections = counted ? Integer.parseInt(options.get(0)) : 50;
    measure(System.out, connections, options.subList(counted ? 1 : 0, options.size()));
  }

  private static void measure(PrintStream out, int connections, List<String> common)
      throws IOException, InterruptedException, ExecutionException {
    out.printf(
        "%-13s %-31s %5s %8s %8s %8s %6s %7s%n",
        "server", "ms to exit from", "runs", "median", "min", "max", "idle", "no FIN");
    DrillSettings atOnce = settings(common, "--delay=0s");
    DrillSettings delayed = settings(common, "--delay=" + DELAY.toMillis() + "ms");
    for (String server : atOnce.servers()) {
      List<Long> afterLastByte = new ArrayList<>();
      List<Long> afterDelay = new ArrayList<>();
      List<Long> afterSignal = new ArrayList<>();
      ExitTime behindLastByte = new ExitTime(connections);
      ExitTime behindDelay = new ExitTime(connections);
      ExitTime behindSignal = new ExitTime(connections);
      for (int run = 0; run < atOnce.seeds(); run++) {
        afterLastByte.add(behindLastByte.exitAfterLastByte(server, atOnce));
        afterDelay.add(behindDelay.exitIdle(server, delayed) - DELAY.toNanos());
        afterSignal.add(behindSignal.exitIdle(server, atOnce));
      }
      behindLastByte.print(out, server, "the last response's last byte", afterLastByte);
      behindDelay.print(out, server, "the end of the delay, idle", afterDelay);
      behindSignal.print(out, server, "SIGTERM without a delay, idle", afterSignal);
    }
  }

  private static DrillSettings settings(List<String> common, String delay) {
    List<String> all = new ArrayList<>(common);
    all.add(delay);
    all.add("--max-lateness=0s");
    return CommandLine.parse(all.toArray(String[]::new));
  }

  /** One request is in flight when the signal comes; nothing is awaited behind it. */
  private long exitAfterLastByte(String server, DrillSettings settings)
      throws IOException, InterruptedException, ExecutionException {
    return withPod(
        server,
        settings,
        pod -> {
          try (HttpConnection last = HttpConnection.open(0, pod.port(), TIMEOUT)) {
            Request request = Requests.of(RequestKind.SLOW, LAST_REQUEST_MILLIS);
            last.send(request, false);
            pod.terminate(settings.grace());
            check(request, last.receive());
            return System.nanoTime();
          }
        });
  }

  private long exitIdle(String server, DrillSettings settings)
      throws IOException, InterruptedException, ExecutionException {
    return withPod(server, settings, pod -> pod.terminate(settings.grace()));
  }

  /** Ends a pod with idle connections. */
  private interface Ending {
    /** Returns from when on the exit's time counts. */
    long end(Pod pod) throws IOException;
  }

  /** Returns the nanoseconds to the exit. */
  private long withPod(String server, DrillSettings settings, Ending ending)
      throws IOException, InterruptedException, ExecutionException {
    Path log = Files.createTempFile("exit-time-" + server, ".log");
    Pod pod = ExamplePods.start(0, settings.jar(server), Mode.LASTCALL, settings, log);
    List<HttpConnection> idle = new ArrayList<>();
    try {
      pod.awaitReady();
      Thread.sleep(UP.toMillis());
      openIdle(pod, idle);
      long start = ending.end(pod);
      long gone = ExamplePods.cleanExit(pod).gone();
      Files.delete(log);
      return gone - start;
    } finally {
      pod.kill();
      end(idle);
    }
  }

  private void end(List<HttpConnection> idle) {
    for (HttpConnection connection : idle) {
      withoutFin += connection.endedByFin() ? 0 : 1;
      connection.close();
    }
  }

  /** Each has carried a request and is kept alive; the client looks at none of them again. */
  private void openIdle(Pod pod, List<HttpConnection> open) throws IOException {
    for (int i = 0; i < connections; i++) {
      HttpConnection connection = HttpConnection.open(0, pod.port(), TIMEOUT);
      open.add(connection);
      Request request = Requests.of(RequestKind.FAST, 0);
      connection.send(request, false);
      check(request, connection.receive());
    }
  }

  private static void check(Request request, Reply reply) {
    Outcome outcome = request.judge(reply);
    if (outcome != Outcome.OK) {
      throw new IllegalStateException("A request failed: " + outcome.label());
    }
  }

  private void print(PrintStream out, String server, String from, List<Long> nanos) {
    double[] millis = nanos.stream().mapToDouble(each -> each / 1e6).sorted().toArray();
    out.printf(
        Locale.ROOT,
        "%-13s %-31s %5d %8.1f %8.1f %8.1f %6d %7d%n",
        server,
        from,
        millis.length,
        millis[millis.length / 2],
        millis[0],
        millis[millis.length - 1],
        connections,
        withoutFin);
  }
}
