package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.plan.PlanValue;
import io.lastcall.report.ShutdownReport;
import io.lastcall.report.ShutdownStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** {@code /actuator/lastcall}: the plan of the shutdown, and how far it is. */
@Endpoint(id = "lastcall")
final class LastcallEndpoint {
  private final GracefulShutdown shutdown;

  LastcallEndpoint(GracefulShutdown shutdown) {
    this.shutdown = shutdown;
  }

  /**
   * @param trigger what began the shutdown
   * @param phase the phase that runs
   * @param inFlight requests in flight
   * @param connections long-lived connections that are open
   * @param secondsLeft until the process is halted; before a shutdown, all it will have
   * @param report the lines of the report, once the shutdown has ended
   */
  record State(
      Map<String, Value> plan,
      @Nullable String trigger,
      @Nullable String phase,
      boolean ready,
      long inFlight,
      int connections,
      long secondsLeft,
      @Nullable List<String> report) {}

  /** A setting's value as it would be configured, and where it is from. */
  record Value(String value, String source) {}

  @ReadOperation
  State state() {
    Map<String, Value> plan = new LinkedHashMap<>();
    for (PlanValue<?> each : shutdown.plan().values()) {
      plan.put(each.name(), new Value(each.text(), each.sourceText()));
    }
    ShutdownStatus status = shutdown.status();
    ShutdownReport report =
        shutdown.completion().isCompletedExceptionally()
            ? null
            : shutdown.completion().getNow(null);
    return new State(
        plan,
        status.trigger().map(Object::toString).orElse(null),
        status.phase().map(Object::toString).orElse(null),
        status.ready(),
        status.inFlight(),
        shutdown.connections().open(),
        status.budgetLeft().toSeconds(),
        report == null ? null : report.lines());
  }
}
