package io.lastcall.examples.cluster.figures;

import io.lastcall.examples.cluster.Outcome;
import io.lastcall.examples.cluster.Trial;
import io.lastcall.examples.cluster.discovery.DiscoveryTrial;
import io.lastcall.examples.cluster.eureka.EurekaTrial;
import io.lastcall.examples.cluster.latch.LatchTrial;
import io.lastcall.examples.cluster.raft.RaftTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** Prints the tables of {@code docs/leaders-and-registries.md}: many shutdowns of each example. */
public final class Figures {
  private static final List<Example> EXAMPLES =
      List.of(
          new Example(Kind.LEADER, "latch", LatchTrial::new),
          new Example(Kind.LEADER, "raft", RaftTrial::new),
          new Example(Kind.REGISTRY, "zookeeper", DiscoveryTrial::new),
          new Example(Kind.REGISTRY, "eureka", EurekaTrial::new));

  private Figures() {}

  private record Example(Kind kind, String name, Callable<Trial> trial) {}

  /**
   * Runs it. Exit code 1 if anything was wrong.
   *
   * @param args how many shutdowns, then the examples' names; by default all
   */
  public static void main(String[] args) throws Exception {
    int shutdowns = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    List<String> names = List.of(args).subList(Math.min(1, args.length), args.length);
    List<Row> rows = new ArrayList<>();
    for (Example example : EXAMPLES) {
      if (names.isEmpty() || names.contains(example.name)) {
        rows.add(row(example, shutdowns));
      }
    }
    for (Kind kind : Kind.values()) {
      System.out.println(kind.head());
      rows.stream().filter(row -> row.kind() == kind).forEach(System.out::println);
    }
    System.exit(rows.stream().allMatch(Row::isRight) ? 0 : 1); // servers leave threads
  }

  private static Row row(Example example, int shutdowns) throws Exception {
    List<Outcome> outcomes = new ArrayList<>();
    try (Trial trial = example.trial.call()) {
      for (int i = 0; i < shutdowns; i++) {
        Outcome outcome = trial.shutDown(i);
        System.err.println(example.name + " " + outcome); // as it goes on
        outcomes.add(outcome);
        trial.restart();
      }
    }
    return new Row(example.kind, example.name, outcomes);
  }
}
