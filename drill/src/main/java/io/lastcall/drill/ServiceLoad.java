package io.lastcall.drill;

import static io.lastcall.drill.RootLocale.format;

import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;

/**
 * The drill's load alone, on a service that runs elsewhere: a Service of a cluster, whose pods
 * somebody else rolls. It ends with SIGTERM, and then prints one line of what came of it.
 */
final class ServiceLoad {
  private static final String USAGE =
      "java -cp drill.jar io.lastcall.drill.ServiceLoad HOST:PORT [--key=value ...]: the drill's"
          + " options for its load, such as --rate, --nodes, --keep-alive, --longest-work";

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
    Load load = new Load(settings.seed(), settings, nodes, pod -> service);
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

  /** Returns the counts, and of failures each kind's. */
  static String summary(List<Exchange> exchanges) {
    Map<String, Long> failures =
        exchanges.stream()
            .filter(Exchange::failed)
            .collect(
                Collectors.groupingBy(
                    each -> each.outcome().label(), TreeMap::new, Collectors.counting()));
    long failed = failures.values().stream().mapToLong(Long::longValue).sum();
    String kinds =
        failures.entrySet().stream()
            .map(each -> each.getValue() + " " + each.getKey())
            .collect(Collectors.joining(", "));
    return format(
        "%d failed of %d requests, %d of them on kept-alive connections, %d answered with"
            + " Connection: close%s",
        failed,
        exchanges.size(),
        exchanges.stream().filter(Exchange::reused).count(),
        exchanges.stream().filter(Exchange::close).count(),
        kinds.isEmpty() ? "" : "; failed: " + kinds);
  }
}
