package io.lastcall.examples.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Opens many WebSockets to a server, some of them talking all the time, sends SIGTERM, and tells
 * with which code each ended and how the ends were spread. The first argument is how many; then
 * come the drill's options.
 */
final class WebSockets {
  private static final int AT_ONCE = 200;
  private static final int TALKERS = 500;
  private static final long BUCKET = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private WebSockets() {}

  public static void main(String[] arguments) throws Exception {
    int count = Integer.parseInt(arguments[0]);
    List<String> options = new ArrayList<>(List.of("--delay=0s", "--grace=30s"));
    options.addAll(List.of(arguments).subList(1, arguments.length));
    options.add("--max-lateness=0s");
    DrillSettings settings = CommandLine.parse(options.toArray(String[]::new));
    for (String server : settings.servers()) {
      run(System.out, server, count, settings);
    }
  }

  private static void run(PrintStream out, String server, int count, DrillSettings settings)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    Path log = Files.createTempFile("websockets-" + server, ".log");
    Pod pod = Pod.start(0, settings.jar(server), Mode.LASTCALL, settings, log);
    pod.awaitReady();
    // What the first connections load is not what each one costs.
    List<WebSocketClient> all = open(pod.port(), AT_ONCE);
    long before = pod.residentBytes();
    all.addAll(open(pod.port(), count - AT_ONCE));
    long after = pod.residentBytes();
    pod.terminate(settings.grace());
    List<WebSocketClient.End> ends = new ArrayList<>();
    for (WebSocketClient client : all) {
      ends.add(client.end().get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
    Pod.Exit exit = pod.exit().get();
    print(out, server, ends, exit, (after - before) / Math.max(1, count - AT_ONCE));
  }

  private static List<WebSocketClient> open(int port, int count)
      throws InterruptedException, ExecutionException {
    // One thread: a pool of them would bunch what comes evenly.
    HttpClient client =
        HttpClient.newBuilder()
            .executor(Executors.newSingleThreadExecutor(WebSockets::daemon))
            .build();
    URI uri = URI.create("ws://127.0.0.1:" + port + "/ws");
    List<WebSocketClient> opened = new ArrayList<>();
    while (opened.size() < count) {
      List<CompletableFuture<WebSocketClient>> batch = new ArrayList<>();
      while (batch.size() < AT_ONCE && opened.size() + batch.size() < count) {
        boolean talks = opened.size() + batch.size() < TALKERS;
        batch.add(WebSocketClient.open(client, uri, talks));
      }
      for (CompletableFuture<WebSocketClient> each : batch) {
        opened.add(each.get());
      }
    }
    return opened;
  }

  private static Thread daemon(Runnable body) {
    Thread thread = new Thread(body, "websocket clients");
    thread.setDaemon(true);
    return thread;
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
        "%s: %,d WebSockets ended with %s over %.2f s; in any 100 ms at most %d, %.2f times the"
            + " average%n  last end to exit %.1f ms, exit code %d%s; %,d bytes of the server's"
            + " memory each%n",
        server,
        at.length,
        codes,
        (last - first) / 1e9,
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
