package io.lastcall.manifests;

import static io.lastcall.manifests.Rule.*;

import java.util.List;

/** For each rule a change of the sound manifests that breaks it, and one that does not. */
final class Cases {
  /** Nothing is wrong with these. */
  static final String SOUND =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: shop}
      spec:
        replicas: 3
        strategy:
          type: RollingUpdate
          rollingUpdate: {maxUnavailable: 0, maxSurge: 1}
        selector: {matchLabels: {app: web}}
        template:
          metadata:
            labels: {app: web, tier: front}
          spec:
            terminationGracePeriodSeconds: 45
            containers:
            - name: web
              image: registry.example/web:1.4
              env:
              - {name: LASTCALL_GRACE_PERIOD, value: "45s"}
              - {name: LASTCALL_PROBE_PORT, value: "8081"}
              - {name: JAVA_TOOL_OPTIONS, value: "-XX:+ExitOnOutOfMemoryError"}
              ports:
              - {name: http, containerPort: 8080}
              readinessProbe: {httpGet: {path: /readyz, port: 8081}, periodSeconds: 5, failureThreshold: 2}
              livenessProbe: {httpGet: {path: /livez, port: 8081}}
              startupProbe: {httpGet: {path: /startupz, port: 8081}, failureThreshold: 30}
              terminationMessagePolicy: FallbackToLogsOnError
              securityContext: {readOnlyRootFilesystem: true}
              volumeMounts: [{name: tmp, mountPath: /tmp}]
              resources: {limits: {memory: 512Mi}}
            volumes: [{name: tmp, emptyDir: {}}]
      ---
      apiVersion: v1
      kind: Service
      metadata: {name: web, namespace: shop}
      spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}
      ---
      apiVersion: policy/v1
      kind: PodDisruptionBudget
      metadata: {name: web, namespace: shop}
      spec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}
      ---
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: guard}
      webhooks:
      - name: guard.shop.example
        failurePolicy: Ignore
        rules:
        - {operations: [DELETE], apiGroups: [""], apiVersions: [v1], resources: [pods]}
        - {operations: [CREATE], apiGroups: [""], apiVersions: [v1], resources: [pods/eviction]}
      """;

  /** One change of the sound manifests: the text that goes, and what takes its place. */
  record Case(Rule rule, boolean hit, String gone, String instead) {
    String manifest() {
      if (!SOUND.contains(gone)) {
        throw new AssertionError("Not in the manifest: " + gone);
      }
      return SOUND.replace(gone, instead);
    }

    @Override
    public String toString() {
      String change = gone.equals(SOUND) ? "several changes" : instead.strip();
      return rule.id() + (hit ? " hit by " : " missed by ") + change;
    }
  }

  private static final String PROBE_PORT = "- {name: LASTCALL_PROBE_PORT, value: \"8081\"}";
  private static final String READY =
      "readinessProbe: {httpGet: {path: /readyz, port: 8081}, periodSeconds: 5, failureThreshold:"
          + " 2}";
  private static final String LIVE = "livenessProbe: {httpGet: {path: /livez, port: 8081}}";
  private static final String START =
      "startupProbe: {httpGet: {path: /startupz, port: 8081}, failureThreshold: 30}";
  private static final String IMAGE = "image: registry.example/web:1.4";
  private static final String DISTROLESS = "image: gcr.io/distroless/java17-debian12";
  private static final String POLICY = "terminationMessagePolicy: FallbackToLogsOnError";
  private static final String OPTIONS = "-XX:+ExitOnOutOfMemoryError";
  private static final String JAVA_OPTIONS =
      "{name: JAVA_TOOL_OPTIONS, value: \"" + OPTIONS + "\"}";
  private static final String CONTAINERS = "      containers:\n";
  private static final String PORT = "{name: http, containerPort: 8080}";
  private static final String POD_NAME = "valueFrom: {fieldRef: {fieldPath: metadata.name}}";
  private static final String ROLLING =
      "type: RollingUpdate\n    rollingUpdate: {maxUnavailable: 0, maxSurge: 1}";
  private static final String BUDGET = "maxUnavailable: 1, selector: {matchLabels: {app: web}}";
  private static final String EVICTIONS = "resources: [pods/eviction]";

  static final List<Case> ALL =
      List.of(
          hit(LIBRARY_UNSEEN, SOUND, SOUND.replace("LASTCALL_", "OTHER_")),
          miss(LIBRARY_UNSEEN, PROBE_PORT, ""),
          miss(
              LIBRARY_UNSEEN,
              SOUND,
              SOUND
                  .replace("LASTCALL_", "OTHER_")
                  .replace(OPTIONS, "-javaagent:/lastcall/lastcall-agent.jar")),
          hit(
              LIBRARY_UNSEEN,
              SOUND,
              SOUND
                  .replace("LASTCALL_", "OTHER_")
                  .replace(OPTIONS, "-javaagent:/otel/opentelemetry-javaagent.jar")),
          miss(
              LIBRARY_UNSEEN,
              SOUND,
              SOUND
                  .replace("LASTCALL_", "OTHER_")
                  .replace("shop}", "shop, annotations: {lastcall.io/container: web}}")),
          hit(KIND_UNCHECKED, "kind: Deployment", "kind: CloneSet"),
          miss(KIND_UNCHECKED, "kind: Deployment", "kind: ReplicationController"),
          hit(VALUE_UNSEEN, "value: \"45s\"", "valueFrom: {configMapKeyRef: {name: x, key: y}}"),
          miss(
              VALUE_UNSEEN,
              PROBE_PORT,
              PROBE_PORT
                  + "\n"
                  + "        - {name: OTHER, valueFrom: {configMapKeyRef: {name: x, key: y}}}"),
          hit(GRACE_PERIOD_IMPOSSIBLE, "PeriodSeconds: 45", "PeriodSeconds: \"45\""),
          hit(GRACE_PERIOD_IMPOSSIBLE, "PeriodSeconds: 45", "PeriodSeconds: -1"),
          hit(GRACE_PERIOD_IMPOSSIBLE, "PeriodSeconds: 45", "PeriodSeconds: 45.5"),
          hit(GRACE_PERIOD_IMPOSSIBLE, "PeriodSeconds: 45", "PeriodSeconds: {seconds: 45}"),
          miss(GRACE_PERIOD_IMPOSSIBLE, "PeriodSeconds: 45", "PeriodSeconds: 0"),
          miss(GRACE_PERIOD_IMPOSSIBLE, "PeriodSeconds: 45", "PeriodSeconds: 45.0"),
          hit(
              PLAN_DOES_NOT_FIT,
              "terminationGracePeriodSeconds: 45",
              "terminationGracePeriodSeconds: 0"),
          hit(PLAN_DOES_NOT_FIT, PROBE_PORT, variable("PROPAGATION_DELAY", "50s")),
          miss(PLAN_DOES_NOT_FIT, PROBE_PORT, variable("PROPAGATION_DELAY", "20s")),
          hit(
              GRACE_PERIOD_DIFFERS,
              "terminationGracePeriodSeconds: 45",
              "terminationGracePeriodSeconds: 40"),
          hit(GRACE_PERIOD_DIFFERS, "      terminationGracePeriodSeconds: 45\n", ""),
          hit(GRACE_PERIOD_DIFFERS, "- {name: LASTCALL_GRACE_PERIOD, value: \"45s\"}", ""),
          miss(GRACE_PERIOD_DIFFERS, "value: \"45s\"", "value: PT45S"),
          hit(SETTING_REFUSED, "value: \"45s\"", "value: \"45\""),
          hit(SETTING_REFUSED, "value: \"8081\"", "value: \"70000\""),
          hit(SETTING_REFUSED, OPTIONS, "-Dlastcall.late-requests=MAYBE"),
          miss(SETTING_REFUSED, OPTIONS, "-Dlastcall.late-requests=reject"),
          hit(SETTING_UNKNOWN, "LASTCALL_PROBE_PORT", "LASTCALL_PROBES_PORT"),
          miss(SETTING_UNKNOWN, PROBE_PORT, variable("POD_NAME", "web-0")),
          hit(SETTING_NOT_MEANT, PROBE_PORT, variable("PROPAGATION_ROUTERS", "40")),
          miss(SETTING_NOT_MEANT, PROBE_PORT, variable("PROPAGATION_MINIMUM", "5s")),
          hit(VARIABLE_REFUSED, "value: \"45s\"", "value: \"45s\", " + POD_NAME),
          miss(
              VARIABLE_REFUSED,
              PROBE_PORT,
              PROBE_PORT + "\n        - {name: NODE, " + POD_NAME + "}"),
          miss(
              VARIABLE_REFUSED,
              PROBE_PORT,
              PROBE_PORT + "\n        - {name: NODE, value: \"\", " + POD_NAME + "}"),
          hit(JAVA_OPTIONS_LOST, OPTIONS, "$(HEAP) " + OPTIONS),
          hit(
              JAVA_OPTIONS_LOST,
              PROBE_PORT,
              PROBE_PORT + "\n        - {name: JAVA_TOOL_OPTIONS, value: -Xmx300m}"),
          miss(
              JAVA_OPTIONS_LOST,
              SOUND,
              SOUND
                  .replace(PROBE_PORT, PROBE_PORT + "\n        - {name: HEAP, value: -Xmx300m}")
                  .replace(OPTIONS, "$(HEAP) " + OPTIONS)),
          hit(
              PRE_STOP_UNDECLARED,
              POLICY,
              POLICY + "\n        lifecycle: {preStop: {sleep: {seconds: 10}}}"),
          hit(
              PRE_STOP_UNDECLARED,
              POLICY,
              POLICY + "\n        lifecycle: {preStop: {exec: {command: [sh, -c, sleep 10]}}}"),
          miss(
              PRE_STOP_UNDECLARED,
              SOUND,
              SOUND
                  .replace(
                      PROBE_PORT, PROBE_PORT + "\n        " + variable("PRE_STOP_DELAY", "10s"))
                  .replace(
                      POLICY, POLICY + "\n        lifecycle: {preStop: {sleep: {seconds: 10}}}")),
          hit(
              PRE_STOP_WITHOUT_TOKEN,
              POLICY,
              POLICY + "\n        lifecycle: {preStop: {httpGet: {path: /prestop, port: 8081}}}"),
          miss(
              PRE_STOP_WITHOUT_TOKEN,
              SOUND,
              SOUND
                  .replace(
                      PROBE_PORT,
                      PROBE_PORT
                          + "\n        - {name: LASTCALL_PRE_STOP_TOKEN, valueFrom: {secretKeyRef:"
                          + " {name: x, key: y}}}")
                  .replace(
                      POLICY,
                      POLICY
                          + "\n"
                          + "        lifecycle: {preStop: {httpGet: {path: /prestop, port:"
                          + " 8081}}}")),
          hit(
              PRE_STOP_WITHOUT_SHELL,
              IMAGE,
              DISTROLESS + "\n        lifecycle: {preStop: {exec: {command: [sleep, \"1\"]}}}"),
          miss(
              PRE_STOP_WITHOUT_SHELL,
              IMAGE,
              DISTROLESS
                  + ":debug\n        lifecycle: {preStop: {exec: {command: [sleep, \"1\"]}}}"),
          hit(READINESS_ABSENT, READY, ""),
          miss(READINESS_ABSENT, READY, "readinessProbe: {grpc: {port: 8080}}"),
          hit(READINESS_PATH, "path: /readyz", "path: /health"),
          hit(READINESS_PATH, "path: /readyz", "path: /livez"),
          miss(READINESS_PATH, "path: /readyz", "path: /actuator/health/readiness"),
          miss(READINESS_PATH, "path: /readyz", "path: /shop/actuator/health"),
          hit(READINESS_TCP, "{httpGet: {path: /readyz, port: 8081}", "{tcpSocket: {port: 8080}"),
          miss(READINESS_TCP, READY, "readinessProbe: {exec: {command: [test, -e, /tmp/ready]}}"),
          hit(READINESS_SLOW, "periodSeconds: 5, failureThreshold: 2", "periodSeconds: 10"),
          miss(READINESS_SLOW, "periodSeconds: 5", "periodSeconds: 3"),
          hit(PROBE_PORT_UNSERVED, PROBE_PORT, ""),
          hit(PROBE_PORT_UNSERVED, "path: /readyz, port: 8081", "path: /readyz, port: web"),
          miss(PROBE_PORT_UNSERVED, "path: /readyz, port: 8081", "path: /readyz, port: http"),
          hit(
              PROBE_WITHOUT_SHELL,
              SOUND,
              SOUND
                  .replace(IMAGE, DISTROLESS)
                  .replace(START, "startupProbe: {exec: {command: [cat, /tmp/x]}}")),
          miss(PROBE_WITHOUT_SHELL, IMAGE, DISTROLESS),
          hit(LIVENESS_KILLS_DRAIN, "path: /livez", "path: /readyz"),
          hit(LIVENESS_KILLS_DRAIN, "path: /livez", "path: /actuator/health/readiness"),
          hit(LIVENESS_KILLS_DRAIN, "path: /livez", "path: /actuator/health"),
          miss(LIVENESS_KILLS_DRAIN, "path: /livez", "path: /actuator/health/liveness"),
          hit(LIVENESS_IMPATIENT, LIVE, LIVE.replace("}}", "}, failureThreshold: 1}")),
          miss(LIVENESS_IMPATIENT, LIVE, LIVE.replace("}}", "}, failureThreshold: 2}")),
          hit(
              LIVENESS_GRACE_PERIOD,
              LIVE,
              LIVE.replace("}}", "}, terminationGracePeriodSeconds: 10}")),
          miss(
              LIVENESS_GRACE_PERIOD,
              LIVE,
              LIVE.replace("}}", "}, terminationGracePeriodSeconds: 45}")),
          hit(STARTUP_ABSENT, START, ""),
          miss(STARTUP_ABSENT, LIVE, LIVE.replace("}}", "}, initialDelaySeconds: 40}")),
          miss(STARTUP_ABSENT, LIVE, ""),
          hit(
              SHELL_ENTRYPOINT,
              IMAGE,
              IMAGE + "\n        command: [/bin/sh, -c, java -jar app.jar]"),
          hit(
              SHELL_ENTRYPOINT,
              IMAGE,
              IMAGE
                  + "\n"
                  + "        command: [bash, -c]\n"
                  + "        args: [\"./wait.sh && java -jar app.jar\"]"),
          miss(
              SHELL_ENTRYPOINT,
              IMAGE,
              IMAGE + "\n        command: [sh, -c, \"./wait.sh; exec java -jar app.jar\"]"),
          hit(STOP_SIGNAL_DIFFERS, POLICY, POLICY + "\n        lifecycle: {stopSignal: SIGUSR1}"),
          miss(STOP_SIGNAL_DIFFERS, POLICY, POLICY + "\n        lifecycle: {stopSignal: SIGTERM}"),
          hit(REDUCED_SIGNALS, OPTIONS, OPTIONS + " -Xrs"),
          hit(REDUCED_SIGNALS, IMAGE, IMAGE + "\n        command: [java, -Xrs, -jar, app.jar]"),
          miss(REDUCED_SIGNALS, OPTIONS, OPTIONS + " -Xss1m"),
          hit(
              TERMINATION_MESSAGE_PATH,
              POLICY,
              POLICY + "\n        terminationMessagePath: /tmp/end"),
          miss(
              TERMINATION_MESSAGE_PATH,
              POLICY,
              POLICY + "\n        terminationMessagePath: /dev/termination-log"),
          hit(TERMINATION_MESSAGE_POLICY, POLICY, ""),
          hit(TERMINATION_MESSAGE_POLICY, POLICY, "terminationMessagePolicy: File"),
          miss(
              TERMINATION_MESSAGE_POLICY,
              POLICY,
              "terminationMessagePolicy: \"FallbackToLogsOnError\""),
          hit(FILE_UNWRITABLE, PROBE_PORT, variable("REPORT_FILE", "/var/report.json")),
          miss(FILE_UNWRITABLE, PROBE_PORT, variable("REPORT_FILE", "/tmp/report.json")),
          hit(IMAGE_PULL_ALWAYS, IMAGE, IMAGE + "\n        imagePullPolicy: Always"),
          hit(IMAGE_PULL_ALWAYS, IMAGE, "image: registry.example:5000/web"),
          hit(IMAGE_PULL_ALWAYS, IMAGE, "image: web:latest"),
          miss(IMAGE_PULL_ALWAYS, IMAGE, "image: web\n        imagePullPolicy: IfNotPresent"),
          miss(IMAGE_PULL_ALWAYS, IMAGE, "image: \"web@sha256:0f3a\""),
          hit(MEMORY_LIMIT_ABSENT, "{limits: {memory: 512Mi}}", "{requests: {memory: 512Mi}}"),
          miss(MEMORY_LIMIT_ABSENT, "{memory: 512Mi}", "{memory: 1Gi, cpu: \"2\"}"),
          hit(CPU_LIMIT_SMALL, "{memory: 512Mi}", "{memory: 512Mi, cpu: 100m}"),
          hit(CPU_LIMIT_SMALL, "{memory: 512Mi}", "{memory: 512Mi, cpu: 0.1}"),
          miss(CPU_LIMIT_SMALL, "{memory: 512Mi}", "{memory: 512Mi, cpu: 0.5}"),
          hit(HOST_NETWORK, CONTAINERS, "      hostNetwork: true\n" + CONTAINERS),
          miss(HOST_NETWORK, CONTAINERS, "      hostNetwork: false\n" + CONTAINERS),
          hit(HOST_PORT, PORT, PORT.replace("}", ", hostPort: 80}")),
          miss(
              HOST_PORT,
              SOUND,
              SOUND
                  .replace("maxUnavailable: 0, maxSurge: 1", "maxUnavailable: 1, maxSurge: 0")
                  .replace(PORT, PORT.replace("}", ", hostPort: 80}"))),
          hit(
              SIDECAR_DIES_FIRST,
              CONTAINERS,
              CONTAINERS + "      - {name: istio-proxy, image: istio/proxyv2}\n"),
          hit(
              SIDECAR_DIES_FIRST,
              CONTAINERS,
              CONTAINERS + "      - {name: db, image: \"gcr.io/x/cloud-sql-proxy:2\"}\n"),
          miss(
              SIDECAR_DIES_FIRST,
              CONTAINERS,
              "      initContainers: [{name: istio-proxy, restartPolicy: Always}]\n" + CONTAINERS),
          hit(ROLLOUT_TAKES_ALL, "maxUnavailable: 0, maxSurge: 1", "maxUnavailable: 100%"),
          hit(ROLLOUT_TAKES_ALL, "maxUnavailable: 0, maxSurge: 1", "maxUnavailable: 3"),
          hit(
              ROLLOUT_TAKES_ALL,
              SOUND,
              SOUND.replace("replicas: 3", "replicas: 1").replace("maxSurge: 1", "maxSurge: 0")),
          miss(ROLLOUT_TAKES_ALL, "maxUnavailable: 0, maxSurge: 1", "maxUnavailable: 99%"),
          hit(STRATEGY_RECREATE, ROLLING, "type: Recreate"),
          miss(STRATEGY_RECREATE, ROLLING, "type: RollingUpdate"),
          hit(STRATEGY_RECREATE, SOUND, stateful(1)),
          miss(STRATEGY_RECREATE, SOUND, stateful(2)),
          hit(DAEMON_SET_GAP, "kind: Deployment", "kind: DaemonSet"),
          miss(
              DAEMON_SET_GAP,
              SOUND,
              SOUND
                  .replace("kind: Deployment", "kind: DaemonSet")
                  .replace("replicas: 3", "updateStrategy: {type: OnDelete}")),
          hit(ROLLOUT_DOUBLES, "replicas: 3", "replicas: 10"),
          hit(ROLLOUT_DOUBLES, OPTIONS, "-Dspring.datasource.hikari.maximum-pool-size=30"),
          hit(ROLLOUT_DOUBLES, OPTIONS, "-Dspring.r2dbc.pool.max-size=30"),
          hit(ROLLOUT_DOUBLES, JAVA_OPTIONS, "{name: DB_POOL_SIZE, value: \"30\"}"),
          hit(
              ROLLOUT_DOUBLES,
              JAVA_OPTIONS,
              "{name: SPRING_APPLICATION_JSON, value: '{\"a.hikari\": {\"maximumPoolSize\": 30}}'}"),
          miss(ROLLOUT_DOUBLES, OPTIONS, "-Dspring.task.execution.pool.max-size=30"),
          miss(ROLLOUT_DOUBLES, JAVA_OPTIONS, "{name: FEEDBACK_POOL_SIZE, value: \"30\"}"),
          miss(ROLLOUT_DOUBLES, "replicas: 3", "replicas: 4"),
          miss(
              ROLLOUT_DOUBLES,
              "replicas: 3",
              "replicas: 10\n  podReplacementPolicy: TerminationComplete"),
          hit(ROLLOUT_EXCEEDS_QUOTA, SOUND, SOUND + quota("limits.memory: 2Gi")),
          hit(ROLLOUT_EXCEEDS_QUOTA, SOUND, SOUND + quota("pods: 5")),
          miss(ROLLOUT_EXCEEDS_QUOTA, SOUND, SOUND + quota("pods: 6, limits.memory: 3Gi")),
          miss(ROLLOUT_EXCEEDS_QUOTA, SOUND, SOUND + quota("requests.cpu: 100m")),
          hit(PDB_ABSENT, BUDGET, "maxUnavailable: 1, selector: {matchLabels: {app: other}}"),
          miss(PDB_ABSENT, BUDGET, "minAvailable: 2, selector: {matchLabels: {tier: front}}"),
          hit(PDB_BLOCKS, BUDGET, BUDGET.replace("maxUnavailable: 1", "maxUnavailable: 0")),
          hit(PDB_BLOCKS, BUDGET, BUDGET.replace("maxUnavailable: 1", "minAvailable: 3")),
          hit(PDB_BLOCKS, BUDGET, BUDGET.replace("maxUnavailable: 1", "minAvailable: 90%")),
          miss(PDB_BLOCKS, BUDGET, BUDGET.replace("maxUnavailable: 1", "maxUnavailable: 10%")),
          hit(
              JOB_EXITS_ZERO,
              SOUND,
              SOUND
                  .replace("kind: Deployment", "kind: Job")
                  .replace(PROBE_PORT, variable("CLEAN_EXIT_CODE", "0"))),
          miss(JOB_EXITS_ZERO, PROBE_PORT, variable("CLEAN_EXIT_CODE", "0")),
          hit(
              JOB_STOPPED,
              SOUND,
              SOUND
                  .replace("kind: Deployment", "kind: Job")
                  .replace("replicas: 3", "activeDeadlineSeconds: 600")),
          miss(JOB_STOPPED, "kind: Deployment", "kind: Job"),
          hit(
              SERVICE_IGNORES_READINESS,
              "spec: {selector: {app: web},",
              "spec: {publishNotReadyAddresses: true, selector: {app: web},"),
          miss(
              SERVICE_IGNORES_READINESS,
              "spec: {selector: {app: web},",
              "spec: {publishNotReadyAddresses: true, selector: {app: db},"),
          hit(WEBHOOK_FAILURE_POLICY, "  failurePolicy: Ignore\n", ""),
          hit(WEBHOOK_FAILURE_POLICY, "failurePolicy: Ignore", "failurePolicy: Fail"),
          miss(
              WEBHOOK_FAILURE_POLICY,
              "failurePolicy: Ignore",
              "objectSelector: {matchLabels: {guard: \"true\"}}"),
          hit(WEBHOOK_MISSES_EVICTIONS, EVICTIONS, "resources: [pods]"),
          miss(WEBHOOK_MISSES_EVICTIONS, EVICTIONS, "resources: [\"pods/*\"]"));

  private Cases() {}

  private static Case hit(Rule rule, String gone, String instead) {
    return new Case(rule, true, gone, instead);
  }

  private static Case miss(Rule rule, String gone, String instead) {
    return new Case(rule, false, gone, instead);
  }

  private static String stateful(int replicas) {
    return SOUND
        .replace("kind: Deployment", "kind: StatefulSet")
        .replace("strategy:", "updateStrategy:")
        .replace("replicas: 3", "replicas: " + replicas);
  }

  private static String quota(String hard) {
    return """
        ---
        apiVersion: v1
        kind: ResourceQuota
        metadata: {name: quota, namespace: shop}
        spec: {hard: {%s}}
        """
        .formatted(hard);
  }

  private static String variable(String name, String value) {
    return "- {name: LASTCALL_%s, value: \"%s\"}".formatted(name, value);
  }
}
