package io.lastcall.benchmarks;

import io.lastcall.propagation.ArrivalHistory;
import io.lastcall.propagation.RecentTraffic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The traffic of one of {@value #PODS} pods as its routers send it, connection by connection.
 *
 * @param name for the table
 * @param together whether all routers are on and off at the same time
 */
record Traffic(String name, boolean together, List<Router> routers) {
  static final int PODS = 2;

  /** Samples in a second, as the history has them. */
  private static final int EACH = 2;

  private static final int SAMPLES = ArrivalHistory.SECONDS * EACH;

  /**
   * Requests at random moments of the time in which their sender is on.
   *
   * @param rate requests a second at this pod, on average
   * @param batch how many come at once
   * @param on the mean time on, in seconds; zero: always on
   * @param off the mean time off
   */
  record Flow(double rate, int batch, double on, double off) {
    static final Flow NONE = steady(0);

    static Flow steady(double rate) {
      return new Flow(rate, 1, 0, 0);
    }
  }

  /**
   * A router. If it decides for each connection, as kube-proxy does, its clients open a connection
   * for each request, or keep theirs. If it is a proxy that keeps connections, it decides for each
   * request, and a new connection shows nothing of it.
   *
   * @param fresh requests each of which has a connection of its own
   * @param kept how many clients keep their connections, to whichever pod
   * @param keptRate requests a second of each of them, to all pods
   * @param limit how many requests a server lets a connection carry
   * @param proxied requests on connections that a proxy keeps to each pod
   */
  record Router(Flow fresh, int kept, double keptRate, int limit, Flow proxied) {
    static Router fresh(Flow flow) {
      return new Router(flow, 0, 0, 1, Flow.NONE);
    }

    static Router kept(double fresh, int clients, double rate, int limit) {
      return new Router(Flow.steady(fresh), clients, rate, limit, Flow.NONE);
    }

    static Router proxy(Flow flow) {
      return new Router(Flow.NONE, 0, 0, 1, flow);
    }

    boolean isProxy() {
      return proxied.rate() > 0;
    }

    double rate() {
      return fresh.rate() + proxied.rate() + kept * keptRate / PODS;
    }
  }

  /**
   * A request after the trigger.
   *
   * @param at in seconds
   * @param fresh whether it came by a new connection
   * @param light whether its client's share is too small for a router
   * @param late whether the router that never hears has sent it
   */
  record Request(double at, boolean fresh, boolean light, boolean late) {}

  private record Interval(double from, double to) {}

  /** One service's last minutes, and what comes after them. */
  static final class Sample {
    final long[] connections = new long[SAMPLES];
    final long[] requests = new long[SAMPLES];
    final List<long[]> clients = new ArrayList<>();
    final List<Request> after = new ArrayList<>();

    /** What every single client sends too little of. */
    private final long[] small = new long[SAMPLES];

    /**
     * @param parts of how many clients the small ones are
     */
    RecentTraffic traffic(int parts) {
      List<RecentTraffic.Client> all = new ArrayList<>();
      clients.forEach(each -> all.add(client(each)));
      for (int part = 0; part < parts; part++) {
        all.add(client(everyOther(part, parts)));
      }
      return new RecentTraffic(connections, requests, all);
    }

    /** One of {@code parts} small clients, which send in turn. */
    private long[] everyOther(int part, int parts) {
      long[] own = new long[SAMPLES];
      long before = parts - 1L - part;
      for (int i = 0; i < SAMPLES; i++) {
        long after = before + small[i];
        own[i] = after / parts - before / parts;
        before = after;
      }
      return own;
    }

    static RecentTraffic.Client client(long[] requests) {
      return new RecentTraffic.Client(Optional.empty(), requests, () -> {});
    }

    private void add(double at, long count, boolean fresh, long[] client) {
      int slot = (int) Math.floor((at + ArrivalHistory.SECONDS) * EACH);
      requests[slot] += count;
      client[slot] += count;
      connections[slot] += fresh ? count : 0;
    }
  }

  double rate() {
    return routers.stream().mapToDouble(Router::rate).sum();
  }

  /**
   * @param late the router that never hears; -1: all have
   * @param ramp when every response says close, and all routers but one have heard
   * @param closesIdle whether connections that are idle then are closed
   */
  Sample sample(int late, double ramp, double longest, boolean closesIdle, RandomGenerator random) {
    Sample sample = new Sample();
    List<Interval> shared =
        together ? intervals(routers.get(0).fresh(), longest, random) : List.of();
    for (int i = 0; i < routers.size(); i++) {
      Router router = routers.get(i);
      boolean isLate = i == late;
      flow(router.fresh(), together ? shared : null, true, isLate, longest, sample, random);
      flow(router.proxied(), null, false, isLate, longest, sample, random);
      for (int client = 0; client < router.kept(); client++) {
        keptClient(router, isLate, ramp, longest, closesIdle, sample, random);
      }
    }
    sample.after.sort(Comparator.comparingDouble(Request::at));
    return sample;
  }

  private static void flow(
      Flow flow,
      List<Interval> known,
      boolean fresh,
      boolean late,
      double longest,
      Sample sample,
      RandomGenerator random) {
    if (flow.rate() == 0) {
      return;
    }
    List<Interval> intervals = known == null ? intervals(flow, longest, random) : known;
    double share = flow.rate() * (flow.on() == 0 ? 1 : (flow.on() + flow.off()) / flow.on());
    double batches = share / flow.batch();
    long[] own = fresh ? sample.small : new long[SAMPLES];
    for (Interval interval : intervals) {
      double end = Math.min(interval.to(), 0);
      double next;
      for (double at = interval.from(); at < end; at = next) {
        next = Math.min((Math.floor(at * EACH) + 1) / EACH, end);
        long count = flow.batch() * poisson(batches * (next - at), random);
        sample.add(at, count, fresh, own);
      }
      double at = Math.max(0, interval.from()) + random.nextExponential() / batches;
      for (; late && at < interval.to(); at += random.nextExponential() / batches) {
        // After the ramp none of its former connections is left.
        sample.after.add(new Request(at, true, fresh, true));
      }
    }
    if (!fresh) {
      sample.clients.add(own);
    }
  }

  /** The times on, from long enough before the history to forget its start. */
  private static List<Interval> intervals(Flow flow, double until, RandomGenerator random) {
    if (flow.on() == 0) {
      return new ArrayList<>(List.of(new Interval(-ArrivalHistory.SECONDS, until)));
    }
    List<Interval> intervals = new ArrayList<>();
    double at = -ArrivalHistory.SECONDS - random.nextDouble() * 10 * (flow.on() + flow.off());
    while (at < until) {
      double end = at + random.nextExponential() * flow.on();
      if (end > -ArrivalHistory.SECONDS) {
        intervals.add(new Interval(Math.max(at, -ArrivalHistory.SECONDS), Math.min(end, until)));
      }
      at = end + random.nextExponential() * flow.off();
    }
    return intervals;
  }

  /** Its connection is to a pod by chance, and each of a limited number of requests goes there. */
  private static void keptClient(
      Router router,
      boolean late,
      double ramp,
      double longest,
      boolean closesIdle,
      Sample sample,
      RandomGenerator random) {
    long[] own = new long[SAMPLES];
    boolean here = random.nextInt(PODS) == 0;
    int left = 1 + random.nextInt(router.limit());
    boolean fresh = false;
    double at = -ArrivalHistory.SECONDS + random.nextExponential() / router.keptRate();
    while (at < 0) {
      if (here) {
        sample.add(at, 1, fresh, own);
      }
      fresh = --left == 0;
      if (fresh) {
        here = random.nextInt(PODS) == 0;
        left = router.limit();
      }
      at += random.nextExponential() / router.keptRate();
    }
    sample.clients.add(own);
    boolean since = false;
    while (at < longest) {
      boolean closed = here && closesIdle && !since && at >= ramp;
      if (left == 0 || closed) {
        // The next connection. Routers that have heard choose another pod.
        since = true;
        here = late && random.nextInt(PODS) == 0;
        left = router.limit();
      }
      left--;
      if (here) {
        sample.after.add(new Request(at, since, true, late));
        left = random.nextDouble() < at / ramp ? 0 : left;
      }
      at += random.nextExponential() / router.keptRate();
    }
  }

  /** Normal where nobody sees the difference. */
  private static long poisson(double mean, RandomGenerator random) {
    if (mean > 200) {
      return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.nextGaussian()));
    }
    long count = -1;
    for (double left = mean; left >= 0; left -= random.nextExponential()) {
      count++;
    }
    return count;
  }
}
