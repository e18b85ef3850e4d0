package io.lastcall.drill;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One rolling update with maxSurge=1: a replacement joins, then an old pod is told to go, and so on
 * with the next. The replacements' JVMs start before the load does and wait for their turn: on a
 * cluster they would have CPUs of their own, and here their start would distort what is measured.
 */
final class Rollout implements AutoCloseable {
  private static final int REPLICAS = 2;
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long EXIT_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final String server;
  private final Mode mode;
  private final long seed;
  private final DrillSettings settings;
  private final PrintStream out;
  // Read by the shutdown hook too.
  private final List<Member> members = new CopyOnWriteArrayList<>();
  private final List<ClusterNode> nodes = new ArrayList<>();
  private final Departures departures;
  private final Load load;
  private final Thread killer = new Thread(this::killAll, "kill-pods");
  private long nextProgress;

  Rollout(String server, Mode mode, long seed, DrillSettings settings, PrintStream out) {
    this.server = server;
    this.mode = mode;
    this.seed = seed;
    this.settings = settings;
    this.out = out;
    for (int node = 0; node < settings.nodes(); node++) {
      nodes.add(new ClusterNode());
    }
    this.departures =
        new Departures(seed, settings.nodes(), settings.maxLateness(), settings.neverLeave());
    this.load = new Load(seed, settings, nodes, pod -> members.get(pod).pod().address());
    // An interrupted drill leaves no JVM behind.
    Runtime.getRuntime().addShutdownHook(killer);
  }

  RunResult run() throws IOException, InterruptedException {
    startPods();
    for (Member old : members.subList(0, REPLICAS)) {
      join(old);
    }
    load.start();
    nextProgress = System.nanoTime() + PROGRESS_NANOS;
    waitFor(settings.warmUp().toNanos());
    for (int old = 0; old < REPLICAS; old++) {
      if (old > 0) {
        waitFor(settings.step().toNanos());
      }
      join(members.get(REPLICAS + old));
      terminate(members.get(old));
    }
    waitFor(settings.maxLateness().toNanos());
    while (!members.subList(0, REPLICAS).stream().allMatch(Member::isGone)) {
      waitFor(EXIT_POLL_NANOS);
    }
    waitFor(settings.tail().toNanos());
    return result(load.finish());
  }

  private void startPods() throws IOException, InterruptedException {
    Path logs = settings.output().toAbsolutePath().resolveSibling("rolling-update-logs");
    Files.createDirectories(logs);
    out.printf("%s starts %d JVMs, logs in %s%n", name(), 2 * REPLICAS, logs);
    for (int index = 0; index < 2 * REPLICAS; index++) {
      Path log =
          logs.resolve("%s-%s-seed%d-pod%d.log".formatted(server, mode.label(), seed, index + 1));
      members.add(new Member(Pod.start(index, settings.jar(server), mode, settings, log)));
    }
    for (Member member : members) {
      member.pod().awaitReady();
      Rehearsal.of(member.pod(), settings);
    }
  }

  private void join(Member member) {
    member.joined(System.nanoTime());
    nodes.forEach(node -> node.join(member.pod().index()));
  }

  /** Sends SIGTERM, and lets each node learn of it in its own time. */
  private void terminate(Member member) {
    long sigterm = member.pod().terminate(settings.grace());
    List<Long> leaves = new ArrayList<>();
    for (ClusterNode node : nodes) {
      long delay = departures.next();
      long time = delay == ClusterNode.NEVER ? ClusterNode.NEVER : sigterm + delay;
      node.leaveAt(member.pod().index(), time);
      leaves.add(time);
    }
    member.terminating(leaves);
  }

  private void waitFor(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
      LockSupport.parkNanos(Math.min(end - now, Math.max(1, nextProgress - now)));
      if (System.nanoTime() - nextProgress >= 0) {
        nextProgress += PROGRESS_NANOS;
        progress();
      }
    }
  }

  private void progress() {
    StringBuilder line = new StringBuilder(name()).append(' ').append(load.progress());
    for (Member member : members) {
      member.check();
      line.append("  pod ").append(member.pod().index() + 1).append(' ').append(member.state());
    }
    out.println(line);
  }

  private String name() {
    return "%-8s %-8s seed %-3d".formatted(server, mode.label(), seed);
  }

  private RunResult result(List<Exchange> exchanges) throws IOException, InterruptedException {
    List<PodHistory> histories = new ArrayList<>();
    for (Member member : members) {
      member.check();
      histories.add(member.history());
    }
    RunResult raw = new RunResult(server, mode, seed, settings, exchanges, histories);
    return raw.with(exchanges.stream().map(each -> Verdict.classify(each, raw)).toList());
  }

  private void killAll() {
    members.forEach(member -> member.pod().kill());
  }

  /** Ends the load and what is left of the pods. */
  @Override
  public void close() {
    load.close();
    killAll();
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException e) {
      // The JVM is on its way out: the hook is running, and has the same work to do.
    }
  }
}
