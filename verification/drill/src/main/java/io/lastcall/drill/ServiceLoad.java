package io.lastcall.drill;

import static io.lastcall.rollout.load.RootLocale.format;

import io.lastcall.rollout.cluster.ClusterNode;
import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Load;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The drill's load alone, on a service that runs elsewhere: a Service of a cluster, whose pods
 * somebody else rolls. It ends with SIGTERM, and then prints one line of what came of it.
 */
final class ServiceLoad {
  private static final String USAGE =
      "java -cp drill.jar io.lastcall.drill.ServiceLoad HOST:PORT [--key=value ...]: the drill's"
          + " options for its load, such as --rate, --nodes, --keep-alive, --longest-work";

  private static final long TEN_SECONDS = 10_000_000_000L;

  private ServiceLoad() {}

  public static void main(String[] arguments) throws InterruptedException {
    try {
      InetSocketAddress service = address(arguments);
      List<String> options = new ArrayList<>(List.of(arguments));
      DrillSettings settings =
          CommandLine.parse(options.subList(1, options.size()).toArray(String[]::new));
      start(service, settings);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n" + USAGE);
      System.exit(2);
    }
    new CountDownLatch(1).await(); // SIGTERM ends it
  }

  private static InetSocketAddress address(String... arguments) {
    String text = arguments.length == 0 ? "" : arguments[0];
    int colon = text.lastIndexOf(':');
    if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
      throw new IllegalArgumentException("'" + text + "' is not HOST:PORT");
    }
    return new InetSocketAddress(
        text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
  }

  private static void start(InetSocketAddress service, DrillSettings settings) {
    List<ClusterNode> nodes = new ArrayList<>();
    for (int node = 0; node < settings.nodes(); node++) {
      ClusterNode all = new ClusterNode();
      all.join(0); // the Service; the cluster picks the pod
      nodes.add(all);
    }
    Load load =
        new Load(new Arrivals(settings.seed(), settings), settings.load(), nodes, pod -> service);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> finish(load, System.out), "finish"));
    load.start();
  }

  private static void finish(Load load, PrintStream out) {
    try {
      out.println(summary(load.finish()));
    } catch (InterruptedException e) {
      out.println("interrupted");
    }
    out.flush();
  }

  /** Returns the counts, and of failures each kind's and when they were sent. */
  static String summary(List<Exchange> exchanges) {
    List<Exchange> failures = exchanges.stream().filter(Exchange::failed).toList();
    long end = exchanges.stream().mapToLong(Exchange::sent).max().orElse(0);
    String kinds = counts(failures, "%2$d %1$s", each -> each.outcome().label());
    String times =
        counts(failures, "%2$d at %1$d s", each -> (end - each.sent()) / TEN_SECONDS * 10);
    return format(
        "%d failed of %d requests, %d of them on kept-alive connections, %d answered with"
            + " Connection: close%s",
        failures.size(),
        exchanges.size(),
        exchanges.stream().filter(Exchange::reused).count(),
        exchanges.stream().filter(Exchange::close).count(),
        failures.isEmpty() ? "" : "; failed: " + kinds + "; " + times + " before the end");
  }

  private static <K> String counts(
      List<Exchange> failures, String words, Function<Exchange, K> key) {
    return failures.stream()
        .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(each -> format(words, each.getKey(), each.getValue()))
        .collect(Collectors.joining(", "));
  }
}
