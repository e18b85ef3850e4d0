package io.lastcall.manifests;

/** Whether the container gets enough of the node, and its image at a restart. */
final class ResourceChecks {
  /** In thousandths of a CPU: below, a JVM's exit and its last log lines take seconds. */
  private static final double LEAST_CPU = 250;

  private ResourceChecks() {}

  static void check(Workload pod) {
    checkLimits(pod);
    String image = pod.container.get("image").text("");
    Yaml policy = pod.container.get("imagePullPolicy");
    boolean isLatest = !image.contains("@") && image.matches(".*:latest|[^:]*|.*/[^:]*");
    if (pod.isServer() && (policy.is("Always") || (isLatest && !policy.isPresent()))) {
      pod.find(
          Rule.IMAGE_PULL_ALWAYS,
          policy.isPresent() ? policy : pod.container.get("image"),
          "a container that ends and starts again in its Pod pulls %s first, and stays down while"
              + " the registry is: set imagePullPolicy: IfNotPresent with a tag of its own",
          image);
    }
  }

  private static void checkLimits(Workload pod) {
    Yaml limits = pod.container.get("resources", "limits");
    if (!limits.get("memory").isPresent()) {
      pod.find(
          Rule.MEMORY_LIMIT_ABSENT,
          pod.container,
          "container %s has no memory limit: the JVM takes a quarter of the node, and the kubelet"
              + " evicts it with 1s of notice",
          pod.container.get("name").text("?"));
    }
    double cpu = thousandths(limits.get("cpu").text(""));
    if (cpu > 0 && cpu < LEAST_CPU) {
      pod.find(
          Rule.CPU_LIMIT_SMALL,
          limits.get("cpu"),
          "with %s of a CPU the exit may take longer than exit-timeout=%s; allow 250m or more, or"
              + " no limit",
          limits.get("cpu").text(""),
          pod.plan.map(plan -> plan.exitTimeout().toMillis() + "ms").orElse("1s"));
    }
  }

  private static double thousandths(String cpu) {
    if (!cpu.matches("\\d{1,9}(\\.\\d{1,9})?m?")) {
      return 0;
    }
    return cpu.endsWith("m")
        ? Double.parseDouble(cpu.substring(0, cpu.length() - 1))
        : Double.parseDouble(cpu) * 1_000;
  }
}
