package io.lastcall.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.rollout.cluster.ClusterNode;
import io.lastcall.rollout.cluster.Departures;
import io.lastcall.rollout.load.Arrival;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The model of the data plane, and the load on it: seeded, bounded, open loop. */
class ClusterTest {
  private static final Duration LATENESS = Duration.ofSeconds(3);

  private static List<Long> draw(long seed, int nodes, int neverLeave) {
    Departures departures = new Departures(seed, nodes, LATENESS, neverLeave);
    return LongStream.range(0, nodes).map(node -> departures.next()).boxed().toList();
  }

  private static List<Arrival> arrivals(String... options) {
    DrillSettings settings = CommandLine.parse(options);
    Arrivals arrivals = new Arrivals(settings.seed(), settings);
    return Stream.generate(arrivals::next).limit(5000).toList();
  }

  private static List<String> decided(String... options) {
    return arrivals(options).stream()
        .map(
            each ->
                each.offset()
                    + " "
                    + each.node()
                    + " "
                    + each.request().target()
                    + " "
                    + each.keepAlive()
                    + " "
                    + each.choice())
        .toList();
  }

  @Test
  void departures_sameSeed_areTheSame() {
    assertEquals(draw(5, 40, 3), draw(5, 40, 3));
    assertNotEquals(draw(5, 40, 3), draw(6, 40, 3));
  }

  @Test
  void departures_stayWithinTheBound_withSomeLate() {
    List<Long> delays = draw(1, 1000, 0);

    assertTrue(delays.stream().allMatch(delay -> delay >= 0 && delay < LATENESS.toNanos()));
    long late = delays.stream().filter(delay -> delay > LATENESS.toNanos() * 3 / 4).count();
    assertTrue(late > 50 && late < 250, () -> late + " of 1000 in the last quarter");
  }

  @Test
  void departures_neverLeave_areExactlyThatMany_andTheSameForEveryPod() {
    Departures departures = new Departures(9, 20, LATENESS, 4);
    List<Boolean> first =
        Stream.generate(() -> departures.next() == ClusterNode.NEVER).limit(20).toList();
    List<Boolean> second =
        Stream.generate(() -> departures.next() == ClusterNode.NEVER).limit(20).toList();

    assertEquals(4, first.stream().filter(never -> never).count());
    assertEquals(first, second);
  }

  @Test
  void node_routesToAPod_untilItLearns() {
    ClusterNode node = new ClusterNode();
    node.join(0);
    node.join(1);
    node.leaveAt(0, 1000);

    assertEquals(List.of(0, 1), node.endpoints(999));
    assertEquals(List.of(1), node.endpoints(1000));
  }

  @Test
  void node_neverLearning_routesThereForEver() {
    ClusterNode node = new ClusterNode();
    node.join(0);
    node.leaveAt(0, ClusterNode.NEVER);

    assertEquals(List.of(0), node.endpoints(Long.MAX_VALUE - 1));
  }

  @Test
  void node_picksByChoice_amongThoseItSees() {
    ClusterNode node = new ClusterNode();
    node.join(3);
    node.join(4);

    assertEquals(3, node.pick(0, 0));
    assertEquals(3, node.pick(0.49, 0));
    assertEquals(4, node.pick(0.99, 0));
  }

  @Test
  void node_withoutEndpoints_saysSo() {
    assertThrows(IllegalStateException.class, () -> new ClusterNode().pick(0.5, 0));
  }

  @Test
  void arrivals_sameSeed_areTheSame() {
    assertEquals(decided("--seed=3"), decided("--seed=3"));
    assertNotEquals(decided("--seed=3"), decided("--seed=4"));
  }

  @Test
  void arrivals_keepTheRate_andOfferEveryKind() {
    List<Arrival> arrivals = arrivals("--rate=500", "--nodes=7", "--longest-work=200ms");

    double seconds = arrivals.get(arrivals.size() - 1).offset() / 1e9;
    assertEquals(500, arrivals.size() / seconds, 25);
    for (RequestKind kind : RequestKind.values()) {
      assertTrue(
          arrivals.stream().anyMatch(arrival -> arrival.request().kind().equals(kind.label())),
          kind::label);
    }
    assertTrue(arrivals.stream().allMatch(each -> each.node() >= 0 && each.node() < 7));
    List<Integer> millis =
        arrivals.stream()
            .map(each -> each.request().target())
            .filter(target -> target.startsWith("/work?ms="))
            .map(target -> Integer.parseInt(target.replaceAll("\\D", "")))
            .toList();
    assertTrue(millis.stream().allMatch(each -> each >= 50 && each < 200), millis::toString);
  }

  @Test
  void arrivals_keepAliveShare_isKept() {
    long kept = arrivals("--keep-alive=0.5").stream().filter(Arrival::keepAlive).count();

    // Pipelining needs a connection that is kept, hence somewhat more than half.
    assertTrue(kept > 2400 && kept < 2800, () -> kept + " of 5000");
  }
}
