package io.lastcall.spring;

import io.lastcall.inflight.LateRequestPolicy;
import io.lastcall.plan.ReportLog;
import io.lastcall.probe.ReadinessPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code lastcall.*} properties. {@link SettingBinding} binds them; core reads each value, so a
 * type here is what an editor offers, and text where a setting may be {@code off}.
 *
 * @param enabled Whether Lastcall is installed at all.
 * @param work what part work other than requests takes
 * @param stopFirst Beans that take work, stopped at the trigger: names, or bean.method. Default:
 *     none.
 * @param gracePeriod The pod's terminationGracePeriodSeconds, which a process cannot read. Default:
 *     30s.
 * @param propagationDelay How long to serve on while routers learn that the pod is going. Default:
 *     15s, at most half the grace period, or what a short one leaves; 0s outside Kubernetes, and
 *     without a server.
 * @param propagationMinimum The earliest end of the propagation delay, where silence is evidence.
 *     Default: the delay.
 * @param propagationRouters How many routers send here: nodes with kube-proxy, or ingress replicas.
 *     Default: 10.
 * @param preStopDelay The preStop hook's sleep: part of the grace period and of propagation.
 *     Default: 0s.
 * @param readinessPolicy When readiness fails: AFTER_PROPAGATION, IMMEDIATE or NEVER. Default:
 *     AFTER_PROPAGATION.
 * @param probePort The probes on a port of their own, until the exit; 0 takes a free one. Default:
 *     off.
 * @param readinessFile A file that exists exactly while ready, for exec probes. Default: off.
 * @param readinessPort A port that is open exactly while ready, for tcpSocket probes. Default: off.
 * @param preStopToken The secret that opens /prestop and /lameduck. Default: off.
 * @param readinessHold How long to serve on after readiness fails. Default: 0s; up to 10s if
 *     connections still come.
 * @param drainTimeout How long DRAIN may take. Default: what remains.
 * @param lateRequests What happens to new requests in DRAIN: SERVE or REJECT. Default: SERVE.
 * @param closeTimeout How long CLOSE_CONNECTIONS may take. Default: 5s, at most a quarter of the
 *     rest.
 * @param exitTimeout What is kept for EXIT. Default: 1s, at most a quarter of what the reserve
 *     leaves.
 * @param exitDrainTimeout The longest DRAIN after a System.exit of the application. Default: 5s.
 * @param reserve How long before SIGKILL the process is gone at the latest. Default: 1s, the least;
 *     500ms of a short grace period.
 * @param cleanExitCode The exit code of a clean shutdown: 0 or 143. Default: 0; 143 by a signal
 *     without a server.
 * @param stopSignals The signals that mean stop, for images with another STOPSIGNAL. Default: TERM.
 * @param reportLog The report and the plan in the log: LINES, or ONE_LINE for collectors. Default:
 *     LINES.
 * @param reportFile Where the report is written as JSON at the end. Default: off.
 */
@ConfigurationProperties("lastcall")
record LastcallProperties(
    @DefaultValue("true") boolean enabled,
    @DefaultValue Work work,
    @Nullable List<String> stopFirst,
    @Nullable Duration gracePeriod,
    @Nullable Duration propagationDelay,
    @Nullable Duration propagationMinimum,
    @Nullable Integer propagationRouters,
    @Nullable Duration preStopDelay,
    @Nullable ReadinessPolicy readinessPolicy,
    @Nullable String probePort,
    @Nullable String readinessFile,
    @Nullable String readinessPort,
    @Nullable String preStopToken,
    @Nullable Duration readinessHold,
    @Nullable Duration drainTimeout,
    @Nullable LateRequestPolicy lateRequests,
    @Nullable Duration closeTimeout,
    @Nullable Duration exitTimeout,
    @Nullable Duration exitDrainTimeout,
    @Nullable Duration reserve,
    @Nullable Integer cleanExitCode,
    @Nullable List<String> stopSignals,
    @Nullable ReportLog reportLog,
    @Nullable String reportFile) {

  /**
   * @param enabled Whether message listeners, scheduled tasks and executors take part in the
   *     shutdown.
   */
  record Work(@DefaultValue("true") boolean enabled) {}
}
