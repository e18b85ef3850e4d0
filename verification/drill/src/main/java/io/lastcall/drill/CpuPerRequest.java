package io.lastcall.drill;

import io.lastcall.rollout.cluster.Pod;
import io.lastcall.rollout.cluster.Ports;
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
 * the library and without, under {@code wrk} and {@code h2load}, which must be installed, on Linux.
 * One JVM serves both, on two ports, which work in turns. If the first argument is {@code apart},
 * or with {@code --agent}, each has a JVM of its own: two of them compile the same code
 * differently, so it takes more of them for as narrow an interval; but what the compiler makes of a
 * server without the library is not seen otherwise. Then come the drill's options; {@code --seeds}
 * is the number of JVMs, or of pairs, and the interval is over those.
 */
final class CpuPerRequest {
  private static final int ROUNDS = 24;

  /** Fewer, and the JIT compiler is still at work on what is measured. */
  private static final int WARM_UPS = 16;

  private static final Pattern FAILURE =
      Pattern.compile("Non-2xx|Socket errors|[1-9]\\d* (failed|errored|timeout)");

  /** Logged before a server is ready. */
  private static final String INSTALLED = "Shutdown plan";

  /** Those that know the port that {@link ExamplePods#startInBoth} gives them. */
  private static final List<String> IN_BOTH_MODES = List.of("netty", "jetty", "tomcat");

  /** Two-sided 95 %, Student's t by degrees of freedom from 1; 2 beyond. */
  private static final double[] T = {
    12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.20, 2.18, 2.16, 2.14, 2.13
  };

  private CpuPerRequest() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    PrintStream out = System.out;
    boolean asked = arguments.length > 0 && arguments[0].equals("apart");
    DrillSettings settings =
        CommandLine.parse(Arrays.copyOfRange(arguments, asked ? 1 : 0, arguments.length));
    boolean apart = asked || settings.agent().isPresent();
    if (!apart) {
      requireBothModes(settings.servers());
    }
    out.printf(
        "%-12s %-8s %5s %14s %14s %8s %17s%n",
        "server", "protocol", "JVMs", "without, us", "with, us", "ratio", "95 % interval");
    for (String server : settings.servers()) {
      for (Protocol protocol : Protocol.values()) {
        List<Cost> costs = new ArrayList<>();
        for (int jvm = 0; jvm < settings.seeds(); jvm++) {
          boolean withoutFirst = jvm % 2 == 0;
          costs.add(
              apart
                  ? costApart(server, protocol, settings, withoutFirst)
                  : cost(server, protocol, settings, withoutFirst));
        }
        print(out, server, protocol, costs);
      }
    }
  }

  private static void requireBothModes(List<String> servers) {
    for (String server : servers) {
      if (!IN_BOTH_MODES.contains(server)) {
        throw new IllegalArgumentException(
            "--servers: " + server + " does not serve in both modes; allowed are " + IN_BOTH_MODES);
      }
    }
  }

  /**
   * Each by the client that counts it right: h2load misses a status without a reason phrase. By
   * time ({@code -D}) it calls no request failed whose connection ends early, and cuts those that
   * run at its end: a number of requests hides and cuts none.
   */
  private enum Protocol {
    HTTP_1("http/1.1", "wrk -t 1 -c 16 -d 1", "(\\d+) requests in"),
    HTTP_2("h2c", "h2load -t 1 -c 4 -m 16 -n 50000", "(\\d+) succeeded");

    private final String label;
    private final String command;
    private final String count;

    Protocol(String label, String command, String count) {
      this.label = label;
      this.command = command;
      this.count = count;
    }
  }

  /**
   * In one JVM, or one pair: nanoseconds of CPU for each request, and the ratio, each the rounds'
   * median.
   */
  private record Cost(double without, double with, double ratio) {
    static Cost of(List<Double> without, List<Double> with) {
      double[] ratios = new double[without.size()];
      Arrays.setAll(ratios, round -> with.get(round) / without.get(round));
      return new Cost(
          median(without.stream().mapToDouble(cost -> cost)),
          median(with.stream().mapToDouble(cost -> cost)),
          median(Arrays.stream(ratios)));
    }

    private static double median(DoubleStream values) {
      double[] sorted = values.sorted().toArray();
      return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
  }

  private static Cost cost(
      String server, Protocol protocol, DrillSettings settings, boolean withoutFirst)
      throws IOException, InterruptedException {
    int naivePort = Ports.next();
    Path log = log(server);
    Cost cost;
    try (Pod pod = ExamplePods.startInBoth(naivePort, settings.jar(server), settings, log)) {
      pod.awaitReady();
      cost =
          compare(new Target(pod, naivePort), new Target(pod, pod.port()), protocol, withoutFirst);
    }
    Files.delete(log);
    return cost;
  }

  private static Cost costApart(
      String server, Protocol protocol, DrillSettings settings, boolean withoutFirst)
      throws IOException, InterruptedException {
    Path jar = settings.jar(server);
    Path naiveLog = log(server);
    Path lastcallLog = log(server);
    Mode drained = settings.agent().isPresent() ? Mode.AGENT : Mode.LASTCALL;
    Cost cost;
    try (Pod naive = ExamplePods.start(0, jar, Mode.NAIVE, settings, naiveLog);
        Pod lastcall = ExamplePods.start(1, jar, drained, settings, lastcallLog)) {
      naive.awaitReady();
      lastcall.awaitReady();
      if (!Files.readString(lastcallLog).contains(INSTALLED)) {
        throw new IOException(server + ": Lastcall is not installed; see " + lastcallLog);
      }
      Target without = new Target(naive, naive.port());
      cost = compare(without, new Target(lastcall, lastcall.port()), protocol, withoutFirst);
    }
    Files.delete(naiveLog);
    Files.delete(lastcallLog);
    return cost;
  }

  /** It stays where something failed. */
  private static Path log(String server) throws IOException {
    return Files.createTempFile("cpu-" + server, ".log");
  }

  /** What is loaded, and whose CPU time counts. */
  private record Target(Pod pod, int port) {}

  /** Which mode is the first to work changes from round to round, and from JVM to JVM. */
  private static Cost compare(
      Target naive, Target lastcall, Protocol protocol, boolean withoutFirst)
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
    return Cost.of(without.subList(WARM_UPS, without.size()), with.subList(WARM_UPS, with.size()));
  }

  /** Returns the server's CPU time for each request. */
  private static double load(Target target, Protocol protocol)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(protocol.command.split(" ", -1)));
    command.add("http://127.0.0.1:" + target.port() + "/fast");
    long before = RunTime.nanos(target.pod().pid());
    Process client = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    long took = RunTime.nanos(target.pod().pid()) - before;
    Matcher count = Pattern.compile(protocol.count).matcher(output);
    if (client.waitFor() != 0 || FAILURE.matcher(output).find() || !count.find()) {
      throw new IOException(String.join(" ", command) + ": not every request succeeded: " + output);
    }
    return (double) took / Long.parseLong(count.group(1));
  }

  private static void print(PrintStream out, String server, Protocol protocol, List<Cost> costs) {
    double mean = costs.stream().mapToDouble(Cost::ratio).average().orElseThrow();
    double half = halfInterval(costs, mean);
    out.printf(
        Locale.ROOT,
        "%-12s %-8s %5d %14.2f %14.2f %8.3f %8.3f-%.3f%n",
        server,
        protocol.label,
        costs.size(),
        costs.stream().mapToDouble(Cost::without).average().orElseThrow() / 1e3,
        costs.stream().mapToDouble(Cost::with).average().orElseThrow() / 1e3,
        mean,
        mean - half,
        mean + half);
  }

  private static double halfInterval(List<Cost> costs, double mean) {
    int freedom = costs.size() - 1;
    if (freedom < 1) {
      return Double.NaN;
    }
    double squares = costs.stream().mapToDouble(p -> Math.pow(p.ratio() - mean, 2)).sum();
    double t = freedom <= T.length ? T[freedom - 1] : 2;
    return t * Math.sqrt(squares / freedom / costs.size());
  }
}
