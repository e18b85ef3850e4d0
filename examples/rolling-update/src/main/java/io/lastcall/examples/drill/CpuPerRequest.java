package io.lastcall.examples.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * What the library costs a request that does nothing else: CPU time of the server for each, with
 * the library and with {@code NAIVE=true}, under {@code wrk} and {@code h2load}, which must be
 * installed, on Linux. Takes the drill's options; {@code --seeds} is the number of pairs of JVMs,
 * since no two compile the same code alike: the interval is over those pairs. With {@code together}
 * in front of the options a pair is one JVM that serves both, on two ports.
 */
final class CpuPerRequest {
  private static final int ROUNDS = 24;

  /** Fewer, and the JIT compiler is still at work on what is measured. */
  private static final int WARM_UPS = 16;

  private static final Pattern FAILURE =
      Pattern.compile("Non-2xx|Socket errors|[1-9]\\d* (failed|errored|timeout)");

  /** Two-sided 95 %, Student's t by degrees of freedom from 1; 2 beyond. */
  private static final double[] T = {
    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13
  };

  private CpuPerRequest() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    PrintStream out = System.out;
    boolean together = arguments.length > 0 && arguments[0].equals("together");
    DrillSettings settings =
        CommandLine.parse(Arrays.copyOfRange(arguments, together ? 1 : 0, arguments.length));
    out.printf(
        "%-12s %-8s %5s %14s %14s %8s %17s%n",
        "server", "protocol", "pairs", "without, us", "with, us", "ratio", "95 % interval");
    for (String server : settings.servers()) {
      for (Protocol protocol : Protocol.values()) {
        List<Pair> pairs = new ArrayList<>();
        for (int pair = 0; pair < settings.seeds(); pair++) {
          boolean withoutFirst = pair % 2 == 0;
          pairs.add(
              together
                  ? together(server, protocol, settings, withoutFirst)
                  : apart(server, protocol, settings, withoutFirst));
        }
        print(out, server, protocol, pairs);
      }
    }
  }

  /** Each by the client that counts it right: h2load misses a status without a reason phrase. */
  private enum Protocol {
    HTTP_1("http/1.1", "wrk -t 1 -c 16 -d 1", "(\\d+) requests in"),
    HTTP_2("h2c", "h2load -t 1 -c 4 -m 16 -D 1", "(\\d+) succeeded");

    private final String label;
    private final String command;
    private final String count;

    Protocol(String label, String command, String count) {
      this.label = label;
      this.command = command;
      this.count = count;
    }
  }

  /** Where a pod serves in one of its modes. */
  private record Port(Pod pod, int number) {
    static Port of(Pod pod) {
      return new Port(pod, pod.port());
    }
  }

  /** Of one pair: nanoseconds of CPU for each request, and the ratio, each the rounds' median. */
  private record Pair(double without, double with, double ratio) {
    static Pair of(List<Double> without, List<Double> with) {
      double[] ratios = new double[without.size()];
      Arrays.setAll(ratios, round -> with.get(round) / without.get(round));
      return new Pair(
          median(without.stream().mapToDouble(cost -> cost)),
          median(with.stream().mapToDouble(cost -> cost)),
          median(Arrays.stream(ratios)));
    }

    private static double median(DoubleStream values) {
      double[] sorted = values.sorted().toArray();
      return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
  }

  /**
   * Both run all the time, and take turns in working: what disturbs one disturbs the other. Which
   * is the first to start changes from pair to pair, and which is the first to work from round to
   * round.
   */
  private static Pair apart(
      String server, Protocol protocol, DrillSettings settings, boolean withoutFirst)
      throws IOException, InterruptedException {
    try (Pod first = start(server, withoutFirst ? Mode.NAIVE : Mode.LASTCALL, settings);
        Pod second = start(server, withoutFirst ? Mode.LASTCALL : Mode.NAIVE, settings)) {
      Port naive = withoutFirst ? Port.of(first) : Port.of(second);
      Port lastcall = withoutFirst ? Port.of(second) : Port.of(first);
      Pair pair = turns(protocol, naive, lastcall, withoutFirst);
      Files.delete(first.log());
      Files.delete(second.log());
      return pair;
    }
  }

  /** Compiled once for both, so that the difference is what is done for a request, and no luck. */
  private static Pair together(
      String server, Protocol protocol, DrillSettings settings, boolean withoutFirst)
      throws IOException, InterruptedException {
    int naivePort = Ports.next();
    try (Pod both = Pod.startInBoth(naivePort, settings.jar(server), settings, log(server))) {
      both.awaitReady();
      Pair pair = turns(protocol, new Port(both, naivePort), Port.of(both), withoutFirst);
      Files.delete(both.log());
      return pair;
    }
  }

  private static Pair turns(Protocol protocol, Port naive, Port lastcall, boolean withoutFirst)
      throws IOException, InterruptedException {
    List<Double> without = new ArrayList<>();
    List<Double> with = new ArrayList<>();
    for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
      boolean naiveFirst = withoutFirst == (round % 2 == 0);
      if (naiveFirst) {
        without.add(load(naive, protocol));
      }
      with.add(load(lastcall, protocol));
      if (!naiveFirst) {
        without.add(load(naive, protocol));
      }
    }
    return Pair.of(without.subList(WARM_UPS, without.size()), with.subList(WARM_UPS, with.size()));
  }

  private static Pod start(String server, Mode mode, DrillSettings settings)
      throws IOException, InterruptedException {
    Pod pod = Pod.start(0, settings.jar(server), mode, settings, log(server));
    pod.awaitReady();
    return pod;
  }

  private static Path log(String server) throws IOException {
    return Files.createTempFile("cpu-" + server, ".log");
  }

  /** Returns the server's CPU time for each request. */
  private static double load(Port server, Protocol protocol)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(protocol.command.split(" ", -1)));
    command.add("http://127.0.0.1:" + server.number() + "/fast");
    long before = server.pod().cpuNanos();
    Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    long took = server.pod().cpuNanos() - before;
    Matcher count = Pattern.compile(protocol.count).matcher(output);
    if (client.waitFor() != 0 || FAILURE.matcher(output).find() || !count.find()) {
      throw new IOException("Not every request succeeded: " + output);
    }
    return (double) took / Long.parseLong(count.group(1));
  }

  private static void print(PrintStream out, String server, Protocol protocol, List<Pair> pairs) {
    double mean = pairs.stream().mapToDouble(Pair::ratio).average().orElseThrow();
    double half = halfInterval(pairs, mean);
    out.printf(
        Locale.ROOT,
        "%-12s %-8s %5d %14.2f %14.2f %8.3f %8.3f-%.3f%n",
        server,
        protocol.label,
        pairs.size(),
        pairs.stream().mapToDouble(Pair::without).average().orElseThrow() / 1e3,
        pairs.stream().mapToDouble(Pair::with).average().orElseThrow() / 1e3,
        mean,
        mean - half,
        mean + half);
  }

  private static double halfInterval(List<Pair> pairs, double mean) {
    int freedom = pairs.size() - 1;
    if (freedom < 1) {
      return Double.NaN;
    }
    double squares = pairs.stream().mapToDouble(p -> Math.pow(p.ratio() - mean, 2)).sum();
    double t = freedom <= T.length ? T[freedom - 1] : 2;
    return t * Math.sqrt(squares / freedom / pairs.size());
  }
}
