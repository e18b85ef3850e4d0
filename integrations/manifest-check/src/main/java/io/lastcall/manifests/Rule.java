package io.lastcall.manifests;

import static io.lastcall.manifests.Rule.Severity.ERROR;
import static io.lastcall.manifests.Rule.Severity.NOTE;
import static io.lastcall.manifests.Rule.Severity.WARNING;

import java.util.Locale;

/** What can be wrong with a manifest; {@code docs/manifest-check.md} has a paragraph for each. */
enum Rule {
  LIBRARY_UNSEEN(NOTE, "No container shows that it has the library"),
  KIND_UNCHECKED(NOTE, "Objects of this kind are not checked"),
  PATCH_UNCHECKED(NOTE, "A patch is not checked by itself"),
  VALUE_UNSEEN(NOTE, "A value is not in the files"),
  GRACE_PERIOD_IMPOSSIBLE(ERROR, "No cluster takes this grace period as it is meant"),
  PLAN_DOES_NOT_FIT(ERROR, "The phases do not fit the Pod's grace period"),
  GRACE_PERIOD_DIFFERS(ERROR, "grace-period is not the Pod's terminationGracePeriodSeconds"),
  SETTING_REFUSED(ERROR, "The service refuses to start with this setting"),
  SETTING_UNKNOWN(WARNING, "There is no such setting"),
  SETTING_NOT_MEANT(WARNING, "The plan is valid, and probably not meant"),
  VARIABLE_REFUSED(ERROR, "A variable has both value and valueFrom"),
  JAVA_OPTIONS_LOST(ERROR, "Options of the JVM do not arrive as they are meant"),
  PRE_STOP_UNDECLARED(ERROR, "The preStop hook takes time that the plan does not know of"),
  PRE_STOP_WITHOUT_TOKEN(ERROR, "/prestop does not exist without pre-stop-token"),
  PRE_STOP_WITHOUT_SHELL(ERROR, "The preStop hook runs a program that the image does not have"),
  READINESS_ABSENT(ERROR, "There is no readiness probe"),
  READINESS_PATH(WARNING, "The readiness probe asks for a path that does not follow the shutdown"),
  READINESS_TCP(WARNING, "The readiness probe only opens the service's port"),
  READINESS_SLOW(NOTE, "The readiness probe notices later than the service waits"),
  PROBE_PORT_UNSERVED(ERROR, "Nothing serves the port of a probe"),
  PROBE_WITHOUT_SHELL(ERROR, "A probe runs a program that the image does not have"),
  LIVENESS_KILLS_DRAIN(ERROR, "The liveness probe fails while the service drains"),
  LIVENESS_IMPATIENT(WARNING, "One slow answer restarts the container"),
  LIVENESS_GRACE_PERIOD(WARNING, "A container that fails liveness has less time than the plan"),
  STARTUP_ABSENT(WARNING, "The liveness probe may end a slow start"),
  SHELL_ENTRYPOINT(ERROR, "A shell is PID 1 and keeps the stop signal"),
  STOP_SIGNAL_DIFFERS(ERROR, "The stop signal is none of stop-signals"),
  REDUCED_SIGNALS(ERROR, "-Xrs hides the stop signal from the service"),
  TERMINATION_MESSAGE_PATH(WARNING, "The report is written to another file"),
  TERMINATION_MESSAGE_POLICY(NOTE, "A process that is killed leaves no message"),
  FILE_UNWRITABLE(ERROR, "A file of the settings is on the read-only root"),
  IMAGE_PULL_ALWAYS(NOTE, "A restart needs the registry"),
  MEMORY_LIMIT_ABSENT(WARNING, "There is no memory limit"),
  CPU_LIMIT_SMALL(WARNING, "The exit is slow with so little CPU"),
  HOST_NETWORK(WARNING, "Ports and host name are the node's"),
  HOST_PORT(ERROR, "Two Pods of a rollout cannot share a port of the node"),
  SIDECAR_DIES_FIRST(ERROR, "A proxy ends together with the service that needs it"),
  ROLLOUT_TAKES_ALL(ERROR, "A rollout may end every replica at once"),
  STRATEGY_RECREATE(WARNING, "A rollout ends every replica before the first new one"),
  DAEMON_SET_GAP(WARNING, "A rollout leaves each node without its Pod"),
  ROLLOUT_DOUBLES(NOTE, "Twice as many Pods exist in a rollout"),
  ROLLOUT_EXCEEDS_QUOTA(WARNING, "The Pods of a rollout do not fit the quota"),
  PDB_ABSENT(WARNING, "Nodes may be drained of every replica at once"),
  PDB_BLOCKS(ERROR, "The PodDisruptionBudget blocks every drain of a node"),
  JOB_EXITS_ZERO(ERROR, "A Job that is interrupted counts as complete"),
  JOB_STOPPED(NOTE, "More than an eviction stops the Job"),
  SERVICE_IGNORES_READINESS(WARNING, "The Service routes to Pods that are not ready"),
  WEBHOOK_FAILURE_POLICY(WARNING, "An outage of the webhook blocks every Pod's deletion"),
  WEBHOOK_MISSES_EVICTIONS(ERROR, "The webhook is not asked about evictions");

  /** How bad it is; the names of SARIF's levels. */
  enum Severity {
    ERROR,
    WARNING,
    NOTE;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  final Severity severity;
  final String title;

  Rule(Severity severity, String title) {
    this.severity = severity;
    this.title = title;
  }

  /** Returns its name in output and annotations, such as {@code plan-does-not-fit}. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
