package io.lastcall.manifests;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How many Pods there are at once while old ones still serve and drain. A Deployment does not count
 * Pods that terminate, so that each step of a rollout adds to those of the steps before.
 */
final class DoublingChecks {
  /** Twice as many of fewer surprise no database. */
  private static final int MANY = 5;

  /** A quarter more than what the strategy says. */
  private static final double NOTICED = 0.8;

  /** HikariCP's default, where the files do not say. */
  private static final int USUAL_POOL = 10;

  /** HikariCP's name alone, or, in a name of a database, what other pools call it. */
  private static final Pattern POOL =
      Pattern.compile(
          "(?i)([\\w.-]*maximum[-_]?pool[-_]?size"
              + "|(?<![\\w.-])(?:[\\w.-]*[-_.]|-D)?(?:db|database|datasource|hikari|jdbc|r2dbc|postgres|mysql)"
              + "[-_.](?:[\\w.-]*[-_.])?"
              + "(?:max[-_]?pool[-_]?size|pool[-_.](?:max[-_]?)?size|max[-_]?(?:total|active)))"
              + "[\"']?\\s*[=: ]\\s*[\"']?(\\d{1,4})\\b");

  private DoublingChecks() {}

  static void check(Manifests manifests) {
    Map<String, List<Yaml>> quotas =
        manifests
            .ofKind("ResourceQuota")
            .filter(quota -> quota.get("spec", "scopes").items().isEmpty())
            .filter(quota -> !quota.get("spec", "scopeSelector").isPresent())
            .collect(Collectors.groupingBy(Manifests::namespace));
    for (Workload pod : manifests.workloads()) {
      if (pod.hasLibrary && pod.plan.isPresent()) {
        checkOne(pod, quotas.getOrDefault(Manifests.namespace(pod.object), List.of()));
      }
    }
  }

  private static void checkOne(Workload pod, List<Yaml> quotas) {
    Optional<Yaml> step = StrategyChecks.stepwise(pod);
    boolean waits = pod.object.get("spec", "podReplacementPolicy").is("TerminationComplete");
    if (step.isEmpty() || waits) {
      return;
    }
    int replicas = pod.mostReplicas().orElse(0);
    int surge = StrategyChecks.surge(step.get(), replicas);
    int atOnce = atOnce(pod, replicas, surge, StrategyChecks.taken(step.get(), replicas));
    Optional<Integer> pool = pool(pod);
    boolean isNoticed = atOnce * NOTICED > replicas + surge;
    if (isNoticed && (replicas >= MANY || pool.isPresent())) {
      report(pod, step.get(), replicas, surge, atOnce, pool);
    }
    quotas.forEach(quota -> checkQuota(pod, quota, replicas + surge, atOnce));
  }

  /** Returns the most Pods that exist at once: all new ones beside all old ones, or fewer. */
  private static int atOnce(Workload pod, int replicas, int surge, int taken) {
    int ready = readySeconds(pod);
    // A step begins when the Pods of the one before are ready; its old Pods leave for so long.
    long steps = ready == 0 ? replicas : leavingSeconds(pod) / ready + 1;
    long leaving = Math.min(replicas, steps * Math.max(1, surge + taken));
    return (int) Math.min(2L * replicas, replicas + surge + leaving);
  }

  /** Returns what a new Pod takes at the least. */
  private static int readySeconds(Workload pod) {
    return pod.object.get("spec", "minReadySeconds").number(0)
        + pod.container.get("readinessProbe", "initialDelaySeconds").number(0);
  }

  private static long leavingSeconds(Workload pod) {
    return pod.plan.map(plan -> plan.gracePeriod().minus(plan.reserve()).toSeconds()).orElse(0L);
  }

  /** Returns how many connections its pools have together, where the files say so. */
  private static Optional<Integer> pool(Workload pod) {
    Stream<String> variables =
        pod.environment.variables().entrySet().stream()
            .map(each -> each.getKey() + "=" + each.getValue().text().orElse(""));
    Map<String, Integer> sizes = new HashMap<>();
    Stream.concat(variables, pod.commandLine.words.stream())
        .flatMap(text -> POOL.matcher(text).results())
        .forEach(found -> add(found.group(1), Integer.valueOf(found.group(2)), sizes));
    return sizes.values().stream().reduce(Integer::sum);
  }

  /** By its name as Spring Boot compares it: an option counts before a variable. */
  private static void add(String name, Integer size, Map<String, Integer> sizes) {
    String plain = name.replaceFirst("^-D", "").replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
    if (name.startsWith("-")) {
      sizes.put(plain, size);
    } else {
      sizes.putIfAbsent(plain, size);
    }
  }

  private static void report(
      Workload pod, Yaml step, int replicas, int surge, int atOnce, Optional<Integer> pool) {
    int ready = readySeconds(pod);
    int connections = pool.orElse(USUAL_POOL);
    pod.find(
        Rule.ROLLOUT_DOUBLES,
        step,
        "%d replicas, ready %s, gone after %ds to %ds: up to %d Pods at once in a rollout, not %d"
            + " (maxSurge %d); %s of %d that is %d connections, not %d. Fewer by a shorter"
            + " propagation-delay, minReadySeconds, or podReplacementPolicy: TerminationComplete",
        replicas,
        ready == 0 ? "as soon as they are" : "after " + ready + "s at the least",
        pod.plan.map(plan -> plan.keepServing().toSeconds()).orElse(0L),
        leavingSeconds(pod),
        atOnce,
        replicas + surge,
        surge,
        pool.isPresent() ? "with their pools" : "if each has a pool",
        connections,
        atOnce * connections,
        (replicas + surge) * connections);
  }

  private static void checkQuota(Workload pod, Yaml quota, int planned, int atOnce) {
    List<String> exceeded = new ArrayList<>();
    quota
        .get("spec", "hard")
        .members()
        .forEach(
            (name, hard) -> {
              BigDecimal most = Quantity.parse(hard.text("")).orElse(BigDecimal.ZERO);
              BigDecimal each = ofOnePod(name, pod);
              if (most.signum() > 0
                  && each.multiply(BigDecimal.valueOf(atOnce)).compareTo(most) > 0) {
                exceeded.add(
                    "%d of %s: %s"
                        .formatted(
                            most.divideToIntegralValue(each).intValue(), name, hard.text("")));
              }
            });
    if (!exceeded.isEmpty()) {
      pod.find(
          Rule.ROLLOUT_EXCEEDS_QUOTA,
          quota.get("spec", "hard"),
          "%s: a rollout has up to %d Pods at once (%d that serve, and those that leave), and the"
              + " quota allows %s: new Pods wait until old ones are gone",
          pod.name(),
          atOnce,
          planned,
          String.join(", ", exceeded));
    }
  }

  /** Returns what a Pod counts for in a quota; zero if the quota is of something else. */
  private static BigDecimal ofOnePod(String name, Workload pod) {
    if (name.equals("pods") || name.equals("count/pods")) {
      return BigDecimal.ONE;
    }
    String kind = name.startsWith("limits.") ? "limits" : "requests";
    String resource = name.replaceFirst("^(limits|requests)\\.", "");
    return pod.spec.get("containers").items().stream()
        .map(container -> container.get("resources"))
        .map(each -> each.get(kind, resource).text().or(() -> each.get("limits", resource).text()))
        .map(text -> text.flatMap(Quantity::parse).orElse(BigDecimal.ZERO))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
