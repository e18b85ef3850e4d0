package io.lastcall.kubernetes;

import io.lastcall.phase.Trigger;
import io.lastcall.plan.Setting;
import io.lastcall.plan.ShutdownPlan;
import io.lastcall.probe.Probes;
import io.lastcall.report.ShutdownReport;
import io.lastcall.spi.Extension;
import io.lastcall.spi.ShutdownControl;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Shortens a shutdown to what Kubernetes gives it: {@code kubectl delete --grace-period=5}, a
 * {@code preStop} hook that nobody declared. Needs the right to {@code get} the own Pod; without
 * it, and outside Kubernetes, the declared grace period counts. Found by core.
 */
public final class OwnPod implements Extension {
  static final Setting<Optional<String>> POD_NAME =
      Setting.optional(
          "pod-name",
          "The own Pod's name, where the host name is another. Default: off.",
          "the name of a Pod",
          OwnPod::parseName);

  static final Setting<Optional<Path>> SERVICE_ACCOUNT =
      Setting.file(
          "service-account",
          "The folder with the service account's token, ca.crt and namespace, where that is not"
              + " /var/run/secrets/kubernetes.io/serviceaccount. Default: off.");

  private static final Path USUAL = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

  /** An API server answers in milliseconds, and nothing waits for it. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Map<String, String> environment;

  /** For {@link java.util.ServiceLoader}. */
  public OwnPod() {
    this(System.getenv());
  }

  OwnPod(Map<String, String> environment) {
    this.environment = environment;
  }

  private static String parseName(String text) {
    if (!text.matches("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?")) {
      throw new IllegalArgumentException("no Pod can have this name");
    }
    return text;
  }

  @Override
  public List<Setting<?>> settings() {
    return List.of(POD_NAME, SERVICE_ACCOUNT);
  }

  @Override
  public Running start(ShutdownPlan plan, Probes probes, Ticker ticker) {
    return server(plan, environment, ticker)
        .<Running>map(server -> new Parts(server, plan, ticker))
        .orElse(deadline -> {});
  }

  /** Returns what asks for the own Pod; empty outside Kubernetes. */
  static Optional<PodWatch> watch(
      ShutdownPlan plan, Map<String, String> environment, Ticker ticker) {
    return server(plan, environment, ticker).map(server -> new PodWatch(server, ticker));
  }

  private static Optional<ApiServer> server(
      ShutdownPlan plan, Map<String, String> environment, Ticker ticker) {
    String host = environment.get("KUBERNETES_SERVICE_HOST");
    // In the time of a test there is no API server to ask.
    if (host == null || ticker != Ticker.system()) {
      return Optional.empty();
    }
    String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
    String authority = (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    Path account = plan.value(SERVICE_ACCOUNT).value().orElse(USUAL);
    String name =
        plan.value(POD_NAME).value().orElseGet(() -> environment.getOrDefault("HOSTNAME", ""));
    return Optional.of(new ApiServer(authority, account, name, PATIENCE));
  }

  /** The question for the deadline, and the Events. */
  private record Parts(PodWatch watch, PodEvents events) implements Running {
    Parts(ApiServer server, ShutdownPlan plan, Ticker ticker) {
      this(new PodWatch(server, ticker), server, plan, ticker);
    }

    private Parts(PodWatch watch, ApiServer server, ShutdownPlan plan, Ticker ticker) {
      this(watch, new PodEvents(server, watch::seen, plan, ticker));
    }

    @Override
    public void installed(ShutdownControl control) {
      watch.installed(control);
    }

    @Override
    public void ending(ShutdownControl control) {
      watch.ending(control);
    }

    @Override
    public void began(Trigger trigger) {
      events.began(trigger);
    }

    @Override
    public void reported(ShutdownReport report) {
      events.reported(report);
    }

    @Override
    public void halting(String hanging) {
      events.halting(hanging);
    }

    @Override
    public void close(Deadline deadline) {
      watch.close(deadline);
      events.close(deadline);
    }
  }
}
