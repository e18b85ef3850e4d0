package io.lastcall.rollout.cluster;

import io.lastcall.rollout.load.Exchange;
import io.lastcall.rollout.load.Load;
import io.lastcall.rollout.load.LoadSettings;
import io.lastcall.rollout.load.LongLivedRequest;
import io.lastcall.rollout.load.Schedule;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * One rolling update with maxSurge=1: a replacement joins, then an old pod is told to go, and so on
 * with the next. The replacements' processes start before the load does and wait for their turn: on
 * a cluster they would have CPUs of their own, and here their start would distort what is measured.
 */
public final class Rollout implements AutoCloseable {
  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long EXIT_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** A JVM that is still there is asked for its threads this long before SIGKILL. */
  private static final Duration DUMP = Duration.ofSeconds(1);

  private final RolloutPlan plan;
  private final Fleet fleet;
  private final Consumer<String> progress;
  // Read by the shutdown hook too.
  private final List<Member> members = new CopyOnWriteArrayList<>();
  private final List<ClusterNode> nodes = new ArrayList<>();
  private final Departures departures;
  private final Load load;
  private final Heartbeat heartbeat = new Heartbeat();
  private final Thread killer = new Thread(this::killAll, "kill-pods");
  private long nextProgress;

  /**
   * Prepares; {@link #run} runs.
   *
   * @param progress gets a line each second
   */
  public Rollout(
      RolloutPlan plan,
      Fleet fleet,
      Schedule schedule,
      LoadSettings settings,
      Consumer<String> progress) {
    this.plan = plan;
    this.fleet = fleet;
    this.progress = progress;
    for (int node = 0; node < plan.nodes(); node++) {
      nodes.add(new ClusterNode());
    }
    this.departures =
        new Departures(plan.seed(), plan.nodes(), plan.maxLateness(), plan.neverLeave());
    this.load = new Load(schedule, settings, nodes, pod -> members.get(pod).pod().address());
    // An interrupted test leaves no process behind.
    Runtime.getRuntime().addShutdownHook(killer);
  }

  /** Clients that hold this open too; before {@link #run}. */
  public void hold(LongLivedRequest held) {
    load.hold(held);
  }

  /**
   * Runs to the end.
   *
   * @throws IllegalStateException if a pod does not start, or ends unasked
   */
  public Recording run() throws IOException, InterruptedException {
    startPods();
    int replicas = plan.replicas();
    for (Member old : members.subList(0, replicas)) {
      join(old);
    }
    load.start();
    heartbeat.start();
    nextProgress = System.nanoTime() + PROGRESS_NANOS;
    waitFor(plan.warmUp().toNanos());
    long slowestBefore =
        members.stream().mapToLong(each -> each.probing().slowest()).max().orElse(0);
    for (int old = 0; old < replicas; old++) {
      if (old > 0) {
        waitFor(plan.step().toNanos());
      }
      join(members.get(replicas + old));
      terminate(members.get(old));
    }
    waitFor(plan.maxLateness().toNanos());
    while (!members.subList(0, replicas).stream().allMatch(Member::isGone)) {
      waitFor(EXIT_POLL_NANOS);
    }
    waitFor(plan.tail().toNanos());
    List<Exchange> exchanges = load.finish();
    return new Recording(plan.nodes(), exchanges, histories(), heartbeat.worst(), slowestBefore);
  }

  private void startPods() throws IOException, InterruptedException {
    for (int index = 0; index < 2 * plan.replicas(); index++) {
      Pod pod = fleet.start(index);
      members.add(new Member(pod, fleet.probing(pod)));
    }
    for (Member member : members) {
      fleet.awaitReady(member.pod());
      member.ready();
    }
    for (Member member : members) {
      fleet.rehearse(member.pod());
    }
  }

  private void join(Member member) {
    member.joined(System.nanoTime());
    nodes.forEach(node -> node.join(member.pod().index()));
  }

  /** Removes the pod, and lets each node learn of it in its own time. */
  private void terminate(Member member) throws InterruptedException {
    Pod pod = member.pod();
    ProcessFacts facts = pod.facts();
    boolean deliver = !plan.firstProcess() || facts.catchesSigterm();
    long removed = System.nanoTime();
    List<Long> leaves = new ArrayList<>();
    for (ClusterNode node : nodes) {
      long delay = departures.next();
      long time = delay == ClusterNode.NEVER ? ClusterNode.NEVER : removed + delay;
      node.leaveAt(pod.index(), time);
      leaves.add(time);
    }
    Duration dump = plan.firstProcess() ? atMostHalf(DUMP, plan.grace()) : Duration.ZERO;
    // The old pods go one after the other, as much later as the hook takes.
    waitFor(plan.preStop().toNanos());
    pod.terminate(plan.grace().minus(plan.preStop()), deliver, dump);
    member.terminating(leaves, facts, deliver);
  }

  private static Duration atMostHalf(Duration wanted, Duration of) {
    Duration half = of.dividedBy(2);
    return wanted.compareTo(half) < 0 ? wanted : half;
  }

  private void waitFor(long nanos) throws InterruptedException {
    long end = System.nanoTime() + nanos;
    for (long now = System.nanoTime(); now - end < 0; now = System.nanoTime()) {
      LockSupport.parkNanos(Math.min(end - now, Math.max(1, nextProgress - now)));
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (System.nanoTime() - nextProgress >= 0) {
        nextProgress += PROGRESS_NANOS;
        progress();
      }
    }
  }

  private void progress() {
    StringBuilder line = new StringBuilder(load.progress());
    for (Member member : members) {
      member.check();
      member.pod().noteDescendants();
      line.append("  pod ").append(member.pod().index() + 1).append(' ').append(member.state());
    }
    progress.accept(line.toString());
  }

  private List<PodHistory> histories() throws IOException, InterruptedException {
    List<PodHistory> histories = new ArrayList<>();
    for (Member member : members) {
      member.check();
      histories.add(member.history());
    }
    return histories;
  }

  private void killAll() {
    members.forEach(member -> member.pod().kill());
  }

  /** Ends the load and what is left of the pods, and waits for it. */
  @Override
  public void close() {
    load.close();
    heartbeat.close();
    killAll();
    for (Member member : members) {
      member.probing().close();
      member.pod().close();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException e) {
      // The JVM is on its way out: the hook is running, and has the same work to do.
    }
  }
}
