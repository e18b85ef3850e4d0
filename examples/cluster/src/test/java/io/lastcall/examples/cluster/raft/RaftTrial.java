package io.lastcall.examples.cluster.raft;

import io.lastcall.examples.cluster.Outcome;
import io.lastcall.examples.cluster.Trial;
import io.lastcall.testing.FreePort;
import io.lastcall.testing.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Three members, with the probes' ports, and a client that writes to them. */
public final class RaftTrial implements Trial {
  static final String TOKEN = "a-token-of-the-test";

  private static final int SOME = 50;

  private final Path directory = Files.createTempDirectory("raft");
  private final List<String> members =
      Stream.of("a", "b", "c").map(name -> name + "=127.0.0.1:" + FreePort.next()).toList();
  private final Map<String, Program> running = new TreeMap<>();
  private final List<Program> all = new ArrayList<>();
  private final Map<String, Integer> probePorts = new TreeMap<>();
  private final Writer writer;

  /** Starts all of it. */
  public RaftTrial() throws Exception {
    for (String member : members) {
      start(member.substring(0, 1));
    }
    writer = new Writer(Group.of(members));
  }

  private Program start(String name) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(name, directory.resolve(name).toString()));
    arguments.addAll(members);
    int probePort = FreePort.next();
    probePorts.put(name, probePort);
    Program member =
        new Program(
            Member.class,
            arguments,
            "-Xmx160m",
            "-Dlastcall.pre-stop-token=" + TOKEN,
            "-Dlastcall.probe-port=" + probePort);
    running.put(name, member);
    all.add(member);
    return member;
  }

  Writer writer() {
    return writer;
  }

  int probePort(String name) {
    return probePorts.getOrDefault(name, 0);
  }

  /** Returns the member that was ready to lead last. */
  String leader() {
    Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> lastLeading(0) > 0);
    return running.entrySet().stream()
        .max(Comparator.comparing(member -> last(member.getValue(), "leading")))
        .orElseThrow()
        .getKey();
  }

  @Override
  public Outcome shutDown(int number) throws Exception {
    writer.await(SOME + number % 7);
    String name = leader();
    Program leader = Objects.requireNonNull(running.remove(name));
    long sigterm = System.nanoTime();
    leader.sigterm();
    int exitCode = leader.awaitExit();
    long gone = System.nanoTime();
    leader.awaitOutput();
    Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> lastLeading(sigterm) > 0);
    long leading = firstAfter("leading", sigterm);
    writer.await(SOME);
    long pause = writer.longestPause(sigterm, System.nanoTime());

    List<String> wrong = new ArrayList<>(writer.lost());
    if (firstAfter("elected", sigterm) > last(leader, "closing")) {
      wrong.add(name + " closed before another was elected");
    }
    return new Outcome(
        wrong, millis(leading - sigterm), millis(pause), millis(gone - sigterm), exitCode);
  }

  @Override
  public void restart() throws Exception {
    for (String member : members) {
      String name = member.substring(0, 1);
      if (!running.containsKey(name)) {
        start(name).await("following", 1);
      }
    }
  }

  private long lastLeading(long since) {
    return running.values().stream()
        .mapToLong(member -> last(member, "leading"))
        .filter(nanos -> nanos > since)
        .max()
        .orElse(0);
  }

  private long firstAfter(String what, long since) {
    return running.values().stream()
        .flatMap(member -> member.lines(what).stream())
        .mapToLong(Program.Line::nanos)
        .filter(nanos -> nanos > since)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static long last(Program program, String what) {
    return program.lines(what).stream().mapToLong(Program.Line::nanos).max().orElse(0);
  }

  private static double millis(long nanos) {
    return nanos / 1e6;
  }

  @Override
  public void close() throws IOException {
    writer.close();
    all.forEach(Program::close);
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
