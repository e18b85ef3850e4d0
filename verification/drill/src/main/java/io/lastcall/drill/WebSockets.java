package io.lastcall.drill;

import com.sun.management.UnixOperatingSystemMXBean;
import io.lastcall.rollout.cluster.Pod;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Opens many WebSockets to a server, some of them talking all the time, sends SIGTERM, and tells
 * with which code each ended and how the ends were spread. The first argument is how many; then
 * come the drill's options; delay and lateness are 0, the grace period 30 s, if they are not given.
 */
final class WebSockets {
  private static final int FIRST = 200;
  private static final int TALKERS = 500;
  private static final int OTHER_FILES = 500;
  private static final long BUCKET = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private WebSockets() {}

  public static void main(String[] arguments) throws Exception {
    int count = count(arguments);
    List<String> options = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
    for (String other : List.of("--delay=0s", "--grace=30s", "--max-lateness=0s")) {
      String key = other.substring(0, other.indexOf('=') + 1);
      if (options.stream().noneMatch(option -> option.startsWith(key))) {
        options.add(other);
      }
    }
    DrillSettings settings = CommandLine.parse(options.toArray(String[]::new));
    for (String server : settings.servers()) {
      run(System.out, server, count, settings);
    }
  }

  private static int count(String[] arguments) {
    if (arguments.length == 0
        || !arguments[0].matches("\\d{1,6}")
        || Integer.parseInt(arguments[0]) < TALKERS) {
      throw new IllegalArgumentException(
          "The first argument is how many: %d to 999999".formatted(TALKERS));
    }
    int count = Integer.parseInt(arguments[0]);
    // A process may have that many sockets, this one and the server's alike.
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        && unix.getMaxFileDescriptorCount() < count + OTHER_FILES) {
      throw new IllegalArgumentException(
          "%d WebSockets need %d open files, and %d are allowed: raise it by ulimit -n"
              .formatted(count, count + OTHER_FILES, unix.getMaxFileDescriptorCount()));
    }
    return count;
  }

  private static void run(PrintStream out, String server, int count, DrillSettings settings)
      throws IOException, InterruptedException, ExecutionException {
    Path log = Files.createTempFile("websockets-" + server, ".log");
    Pod pod = ExamplePods.start(0, settings.jar(server), Mode.LASTCALL, settings, log);
    try (WebSocketCrowd crowd = new WebSocketCrowd()) {
      pod.awaitReady();
      // What the first connections load is not what each one costs.
      crowd.open(pod.port(), FIRST, FIRST);
      long before = pod.residentBytes();
      crowd.open(pod.port(), count - FIRST, TALKERS - FIRST);
      long after = pod.residentBytes();
      pod.terminate(settings.grace());
      List<WebSocketClient.End> ends = crowd.awaitEnds(PATIENCE.toNanos());
      long each = (after - before) / Math.max(1, count - FIRST);
      print(out, server, ends, pod.exit().get(), each);
      Files.delete(log);
    } finally {
      pod.kill();
    }
  }

  private static void print(
      PrintStream out,
      String server,
      List<WebSocketClient.End> ends,
      Pod.Exit exit,
      long bytesEach) {
    long[] at = ends.stream().mapToLong(WebSocketClient.End::at).sorted().toArray();
    Map<Integer, Long> codes =
        ends.stream()
            .collect(
                Collectors.groupingBy(
                    WebSocketClient.End::code, TreeMap::new, Collectors.counting()));
    long first = at[0];
    long last = at[at.length - 1];
    double average = (double) at.length * BUCKET / Math.max(BUCKET, last - first);
    long largest = Arrays.stream(at).map(start -> within(at, start)).max().orElseThrow();
    out.printf(
        Locale.ROOT,
        "%s: %,d WebSockets ended with %s over %.2f s, %,.0f a second; in any 100 ms at most %d, %.2f times the"
            + " average%n  last end to exit %.1f ms, exit code %d%s; %,d bytes of the server's"
            + " memory each%n",
        server,
        at.length,
        codes,
        (last - first) / 1e9,
        at.length * 1e9 / Math.max(1, last - first),
        largest,
        largest / average,
        (exit.gone() - last) / 1e6,
        exit.code(),
        exit.killed() ? ", by SIGKILL" : "",
        bytesEach);
  }

  /** How many ended within a bucket's length from {@code start} on. */
  private static long within(long[] at, long start) {
    return Arrays.stream(at).filter(each -> each >= start && each < start + BUCKET).count();
  }
}
