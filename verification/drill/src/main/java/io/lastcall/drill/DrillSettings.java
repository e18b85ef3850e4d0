package io.lastcall.drill;

import io.lastcall.rollout.cluster.RolloutPlan;
import io.lastcall.rollout.load.LoadSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything a drill can be told; see {@link Option} for meanings, defaults and limits.
 *
 * @param agent the jar that drains the servers in place of the library in them
 * @param keepAliveShare of 1, how much of the load uses keep-alive connections
 * @param idlePerNode how many idle keep-alive connections a node holds at most
 */
record DrillSettings(
    List<String> servers,
    long seed,
    int seeds,
    int rate,
    int nodes,
    Duration grace,
    Duration delay,
    Duration maxLateness,
    int neverLeave,
    boolean naive,
    Optional<Path> agent,
    boolean http2,
    double keepAliveShare,
    int idlePerNode,
    boolean watchIdle,
    Duration longestWork,
    Duration warmUp,
    Duration step,
    Duration tail,
    Duration lastStretch,
    Duration timeout,
    Path java,
    Path examples,
    Path output) {

  private static final int REPLICAS = 2;

  DrillSettings {
    servers = List.copyOf(servers);
  }

  /** Where the server of this name is built to. A folder may build more than one. */
  Path jar(String server) {
    Path jar = Path.of("target", server + ".jar");
    Path own = examples.resolve(server).resolve(jar);
    if (Files.exists(own)) {
      return own;
    }
    try (Stream<Path> folders = Files.list(examples)) {
      return folders
          .map(folder -> folder.resolve(jar))
          .filter(Files::exists)
          .findFirst()
          .orElse(own);
    } catch (IOException e) {
      return own;
    }
  }

  /** How the clients behave. */
  LoadSettings load() {
    return new LoadSettings(http2, false, idlePerNode, watchIdle, timeout, longestWork);
  }

  /** What is rolled with this seed. */
  RolloutPlan plan(long runSeed) {
    return new RolloutPlan(
        REPLICAS,
        nodes,
        runSeed,
        grace,
        maxLateness,
        neverLeave,
        Duration.ZERO,
        false,
        warmUp,
        step,
        tail);
  }

  /** The modes to run, in the order in which they run and are shown. */
  List<Mode> modes() {
    Mode drained = agent.isPresent() ? Mode.AGENT : Mode.LASTCALL;
    return naive ? List.of(Mode.NAIVE, drained) : List.of(drained);
  }
}
