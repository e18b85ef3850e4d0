package io.lastcall.benchmarks;

import io.lastcall.benchmarks.Traffic.Flow;
import io.lastcall.benchmarks.Traffic.Request;
import io.lastcall.benchmarks.Traffic.Router;
import io.lastcall.benchmarks.Traffic.Sample;
import io.lastcall.propagation.RecentTraffic;
import io.lastcall.propagation.SilenceCriterion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How often a wait that ends on silence ends falsely, that is, a router opens a connection after
 * it: the table of docs/adaptive-propagation.md. Of n routers all have heard when the responses say
 * close, but for one, which never hears: the worst case of the promise. Where routers differ, the
 * row names the one that does not hear.
 */
public final class FalseEarly {
  /** As {@link SilenceCriterion} has it. */
  private static final double ERROR = 0.01;

  private static final double MINIMUM = 3;
  private static final double MAXIMUM = 15;

  private static final long SEED = 20_26_11;

  /** A rule: which traffic is the evidence, and which requests end a silence. */
  private enum Rule {
    /** All requests, as before decision 77: idle connections were closed in the last quarter. */
    REQUESTS,
    /** New connections, whatever the requests are. */
    CONNECTIONS,
    /** As built. */
    OURS;

    boolean closesIdle() {
      return this != REQUESTS;
    }

    /** Whether a request ends a silence. */
    boolean counts(Request request) {
      return this == REQUESTS || request.fresh() || (this == OURS && !request.light());
    }

    RecentTraffic traffic(Sample sample, int routers) {
      return switch (this) {
        case REQUESTS -> alone(sample.requests);
        case CONNECTIONS -> alone(sample.connections);
        case OURS -> sample.traffic(4 * routers + 1);
      };
    }

    private static RecentTraffic alone(long[] arrivals) {
      return new RecentTraffic(arrivals, arrivals, List.of(Sample.client(arrivals)));
    }
  }

  /** A traffic, and which of its routers does not hear. */
  private record Row(Traffic traffic, int late, int told) {}

  private FalseEarly() {}

  /**
   * Prints the table.
   *
   * @param arguments how many shutdowns per cell; default 2,000
   */
  public static void main(String[] arguments) {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000;
    System.out.printf(
        Locale.ROOT,
        "%,d shutdowns for each row; promised: at most %.1f %%%n%n",
        runs,
        100 * ERROR);
    System.out.println(
        "| Traffic | Requests/s | Routers | Requests: false | Connections: false | Ours: false |"
            + " Ours: early if all have heard | Mean wait then |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    rows().forEach(row -> print(row, runs));
  }

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int routers : new int[] {1, 3, 10}) {
      for (Traffic traffic : eachConnection(routers)) {
        rows.add(new Row(traffic, 0, routers));
      }
    }
    for (int routers : new int[] {1, 3}) {
      rows.addAll(keptConnections(routers));
      rows.addAll(proxies(routers));
    }
    rows.addAll(mixed());
    rows.add(new Row(same("new, but propagation-routers=3", 30, fresh(Flow.steady(2))), 0, 3));
    return rows;
  }

  private static List<Traffic> eachConnection(int routers) {
    double one = 100.0 / routers;
    return List.of(
        same("new", routers, fresh(Flow.steady(one))),
        same("new, 60/s", routers, fresh(Flow.steady(60.0 / routers))),
        same("new, 20/s", routers, fresh(Flow.steady(20.0 / routers))),
        same("new, batches of 5", routers, fresh(new Flow(one, 5, 0, 0))),
        same("new, batches of 20", routers, fresh(new Flow(10 * one, 20, 0, 0))),
        same("new, bursts, 0.5 of 3 s", routers, fresh(new Flow(10 * one, 1, 0.5, 2.5))),
        same("new, bursts, 2 of 20 s", routers, fresh(new Flow(10 * one, 1, 2, 18))),
        same("new, bursts, 20 of 40 s", routers, fresh(new Flow(10 * one, 1, 20, 20))),
        new Traffic(
            "new, all burst together, 0.5 of 1 s",
            true,
            Collections.nCopies(routers, fresh(new Flow(10 * one, 1, 0.5, 0.5)))),
        same("new, 2/s", routers, fresh(Flow.steady(2.0 / routers))));
  }

  /**
   * Half of the clients, or all, keep connections, which a server ends after 100 requests or never.
   */
  private static List<Row> keptConnections(int routers) {
    int some = routers * Math.round(20f / routers);
    return List.of(
        kept("half kept, 40 clients", routers, 30, some, 3, 100),
        kept("half kept, 40 clients, no limit", routers, 30, some, 3, 1_000_000),
        kept("half kept, 400 clients", routers, 30, 10 * some, 0.3, 100),
        kept(
            "half kept, 10 clients, 20/s", routers, 10, routers * Math.round(5f / routers), 4, 100),
        kept("half kept, 3 clients", routers, 30, 3, 20, 100),
        kept("all kept, 40 clients", routers, 0, 2 * some, 3, 100),
        kept("all kept, 40 clients, no limit", routers, 0, 2 * some, 3, 1_000_000),
        kept("all kept, 400 clients, 5 requests each", routers, 0, 20 * some, 0.3, 5));
  }

  private static Row kept(
      String name, int routers, double fresh, int clients, double rate, int limit) {
    Router each = Router.kept(fresh / routers, clients / routers, rate, limit);
    return new Row(same(name, routers, each), 0, routers);
  }

  private static List<Row> proxies(int routers) {
    double one = 100.0 / routers;
    return List.of(
        new Row(
            same("proxies that keep connections", routers, proxy(Flow.steady(one))), 0, routers),
        new Row(
            same("proxies, bursts, 0.5 of 3 s", routers, proxy(new Flow(one, 1, 0.5, 2.5))),
            0,
            routers));
  }

  /** Two routers that decide for each connection, and a proxy that keeps its connections. */
  private static List<Row> mixed() {
    List<Row> rows = new ArrayList<>();
    for (Flow flow :
        List.of(
            Flow.steady(30),
            new Flow(30, 1, 0.5, 2.5),
            new Flow(30, 1, 2, 18),
            new Flow(30, 1, 20, 20))) {
      String bursts =
          flow.on() == 0
              ? ""
              : String.format(
                  Locale.ROOT, ", bursts, %s of %s s", flow.on(), flow.on() + flow.off());
      Router other = fresh(Flow.steady(30));
      List<Router> routers = List.of(proxy(flow), other, other);
      rows.add(new Row(new Traffic("new, and a late proxy" + bursts, false, routers), 0, 3));
      rows.add(new Row(new Traffic("a proxy" + bursts + ", and late: new", false, routers), 1, 3));
    }
    return rows;
  }

  private static Router fresh(Flow flow) {
    return Router.fresh(flow);
  }

  private static Router proxy(Flow flow) {
    return Router.proxy(flow);
  }

  private static Traffic same(String name, int routers, Router each) {
    return new Traffic(name, false, Collections.nCopies(routers, each));
  }

  private static void print(Row row, int runs) {
    Traffic traffic = row.traffic();
    int early = 0;
    double waited = 0;
    SplittableRandom random = new SplittableRandom(SEED);
    for (int run = 0; run < runs; run++) {
      double end = end(row, Rule.OURS, sample(row, -1, Rule.OURS, random));
      early += end < MAXIMUM ? 1 : 0;
      waited += end;
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %d | %s | %s | %s | %.1f %% | %.1f s |%n",
        traffic.name(),
        Math.round(traffic.rate()),
        traffic.routers().size(),
        falseEnds(row, Rule.REQUESTS, runs),
        falseEnds(row, Rule.CONNECTIONS, runs),
        falseEnds(row, Rule.OURS, runs),
        100.0 * early / runs,
        waited / runs);
  }

  private static String falseEnds(Row row, Rule rule, int runs) {
    SplittableRandom random = new SplittableRandom(SEED);
    int wrong = 0;
    for (int run = 0; run < runs; run++) {
      Sample sample = sample(row, row.late(), rule, random);
      double end = end(row, rule, sample);
      wrong +=
          sample.after.stream().anyMatch(each -> each.late() && each.fresh() && each.at() > end)
                  && end < MAXIMUM
              ? 1
              : 0;
    }
    return String.format(Locale.ROOT, "%.2f %%", 100.0 * wrong / runs);
  }

  private static Sample sample(Row row, int late, Rule rule, SplittableRandom random) {
    return row.traffic().sample(late, MINIMUM, MAXIMUM, rule.closesIdle(), random);
  }

  /** As in KEEP_SERVING: silence counts from the minimum, or from the last request that counts. */
  private static double end(Row row, Rule rule, Sample sample) {
    Duration range = Duration.ofNanos((long) ((MAXIMUM - MINIMUM) * 1e9));
    SilenceCriterion criterion = new SilenceCriterion(row.told(), range);
    double silence =
        criterion
            .evidence(rule.traffic(sample, row.told()), range)
            .silence()
            .map(known -> known.toNanos() / 1e9)
            .orElse(MAXIMUM);
    double quietSince = MINIMUM;
    for (Request request : sample.after) {
      if (request.at() > quietSince + silence) {
        break;
      }
      if (rule.counts(request)) {
        quietSince = Math.max(quietSince, request.at());
      }
    }
    return Math.min(MAXIMUM, quietSince + silence);
  }
}
