package io.lastcall.examples.cluster.latch;

import io.lastcall.examples.cluster.Outcome;
import io.lastcall.examples.cluster.Trial;
import io.lastcall.testing.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.retry.RetryNTimes;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;

/** Two processes, and ZooKeeper in the tests' JVM. */
public final class LatchTrial implements Trial {
  private static final long MOMENT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final List<String> NAMES = List.of("a", "b");

  private final TestingServer zookeeper = new TestingServer();
  private final CuratorFramework client =
      CuratorFrameworkFactory.newClient(zookeeper.getConnectString(), new RetryNTimes(10, 100));
  private final LeaderLatch observer = new LeaderLatch(client, "/orders/leader");
  private final Map<String, Program> running = new TreeMap<>();
  private final List<Program> all = new ArrayList<>();
  private final String[] options;

  /**
   * @param options for the processes' JVMs
   */
  public LatchTrial(String... options) throws Exception {
    this.options = options;
    client.start();
    restart();
  }

  private void start(String name) throws Exception {
    Program program =
        new Program(Leader.class, List.of(zookeeper.getConnectString(), name), options);
    running.put(name, program);
    all.add(program);
  }

  @Override
  public Outcome shutDown(int number) throws Exception {
    Awaitility.await()
        .atMost(1, TimeUnit.MINUTES)
        .ignoreExceptions() // there is no node before the first
        .until(() -> observer.getParticipants().size() == running.size());
    Awaitility.await()
        .atMost(1, TimeUnit.MINUTES)
        .until(() -> running.values().stream().anyMatch(it -> lastTaken(it) > 0));
    Map.Entry<String, Program> leading =
        running.entrySet().stream()
            .max(Comparator.comparing(it -> lastTaken(it.getValue())))
            .orElseThrow();
    String name = leading.getKey();
    Program leader = leading.getValue();
    running.remove(name);
    leader.await(number % 2 == 0 ? "taken" : "done", leader.lines("taken").size() + 1);
    LockSupport.parkNanos(number % 4 * MOMENT_NANOS); // somewhere in an order
    long sigterm = System.nanoTime();
    leader.sigterm();
    int exitCode = leader.awaitExit();
    long gone = System.nanoTime();
    leader.awaitOutput();

    List<String> wrong = new ArrayList<>();
    long last = lastTaken(leader);
    long first = firstOfNext(leader, last);
    wrong.addAll(notDone(leader));
    wrong.addAll(overlaps());
    return new Outcome(
        wrong, millis(first - sigterm), millis(first - last), millis(gone - sigterm), exitCode);
  }

  @Override
  public void restart() throws Exception {
    for (String name : NAMES) {
      if (!running.containsKey(name)) {
        start(name);
      }
    }
  }

  private long firstOfNext(Program leader, long last) throws InterruptedException {
    String next =
        leader.lines("released").stream()
            .map(Program.Line::subject)
            .findFirst()
            .orElseThrow(() -> new NoSuchElementException("never released: " + leader.lines()));
    Program successor = running.get(next);
    if (successor == null) {
      throw new NoSuchElementException("no successor: " + leader.lines());
    }
    Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> lastTaken(successor) > last);
    return successor.lines("taken").stream()
        .mapToLong(Program.Line::nanos)
        .filter(nanos -> nanos > last)
        .min()
        .orElseThrow();
  }

  private static long lastTaken(Program program) {
    return program.lines("taken").stream().mapToLong(Program.Line::nanos).max().orElse(0);
  }

  private static List<String> notDone(Program ended) {
    List<String> done = ended.lines("done").stream().map(Program.Line::subject).toList();
    return ended.lines("taken").stream()
        .map(Program.Line::subject)
        .filter(order -> !done.contains(order))
        .map(order -> order + " was cut")
        .toList();
  }

  /** No order may begin before the one before it is done, in whichever process. */
  private List<String> overlaps() {
    List<Program.Line> lines =
        all.stream()
            .flatMap(program -> program.lines().stream())
            .filter(line -> line.what().equals("taken") || line.what().equals("done"))
            .sorted(Comparator.comparingLong(Program.Line::nanos))
            .toList();
    List<String> wrong = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      Program.Line before = lines.get(i - 1);
      Program.Line line = lines.get(i);
      if (line.what().equals(before.what())) {
        wrong.add(line + " after " + before);
      }
    }
    return wrong;
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  @Override
  public void close() throws IOException {
    all.forEach(Program::close);
    client.close();
    zookeeper.close();
  }
}
