package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.probe.Check;
import io.lastcall.probe.CheckResult;
import io.lastcall.probe.ProbeKind;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.report.ShutdownListener;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/** Keeps the shutdown and the context in step: started, ready, closed. */
final class ContextBridge implements ApplicationListener<ApplicationReadyEvent>, ShutdownListener {
  private final GracefulShutdown shutdown;
  private final ConfigurableApplicationContext context;

  ContextBridge(
      ProcessShutdown process,
      ConfigurableApplicationContext context,
      ApplicationAvailability availability) {
    this.shutdown = process.shutdown();
    this.context = context;
    shutdown.listener(this);
    // Behind every connection and closer: beans are in use until then. Spring Boot's own hook,
    // which
    // runs behind our phases, finds the context closed.
    shutdown.step(
        Step.of(Phase.CLOSE_CONNECTIONS, "close the Spring context", step -> context.close())
            .withOrder(Integer.MAX_VALUE));
    if (process.isFirst()) {
      shutdown
          .probes()
          .check(ProbeKind.READINESS, Check.of("spring", () -> readiness(availability)));
    }
  }

  private static CheckResult readiness(ApplicationAvailability availability) {
    ReadinessState state = availability.getReadinessState();
    return state == ReadinessState.ACCEPTING_TRAFFIC
        ? CheckResult.up()
        : CheckResult.down(state.name());
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent ready) {
    shutdown.started();
  }

  @Override
  public void began(Trigger trigger) {
    if (shutdown.plan().readinessPolicy() == ReadinessPolicy.IMMEDIATE) {
      refuseTraffic();
    }
  }

  @Override
  public void phaseStarted(Phase phase) {
    if (phase == Phase.FAIL_READINESS
        && shutdown.plan().readinessPolicy() == ReadinessPolicy.AFTER_PROPAGATION) {
      refuseTraffic();
    }
  }

  private void refuseTraffic() {
    if (context.isActive()) {
      AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
    }
  }
}
