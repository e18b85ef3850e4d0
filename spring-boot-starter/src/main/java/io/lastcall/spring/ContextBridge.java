package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.report.ShutdownListener;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;

/** Keeps the shutdown and the context in step: started, ready, closed. */
final class ContextBridge
    implements ApplicationListener<ApplicationReadyEvent>, ShutdownListener, DisposableBean {
  private final ProcessShutdown process;
  private final GracefulShutdown shutdown;
  private final Lent<ConfigurableApplicationContext> context;
  private final Lent<ApplicationAvailability> availability;
  private volatile boolean ready;

  ContextBridge(
      ProcessShutdown process,
      ConfigurableApplicationContext context,
      ApplicationAvailability availability) {
    this.process = process;
    this.shutdown = process.shutdown();
    this.context = process.lend(context);
    this.availability = process.lend(availability);
    shutdown.listener(this);
    // Behind every connection and closer: beans are in use until then. Spring Boot's own hook,
    // which runs behind our phases, finds the context closed.
    process.step(
        Step.of(Phase.CLOSE_CONNECTIONS, "close the Spring context", step -> context.close())
            .withOrder(Integer.MAX_VALUE));
    process.join(this);
  }

  /** Whether it counts for the readiness of the process: has been ready, and is not closed. */
  boolean isRunning() {
    ConfigurableApplicationContext open = context.get();
    return ready && open != null && !open.isClosed();
  }

  ReadinessState readiness() {
    ApplicationAvailability open = availability.get();
    return open == null ? ReadinessState.REFUSING_TRAFFIC : open.getReadinessState();
  }

  @Override
  public void onApplicationEvent(ApplicationReadyEvent event) {
    ready = true;
    shutdown.started();
  }

  @Override
  public void destroy() {
    process.leave(this);
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
    ConfigurableApplicationContext open = context.get();
    if (open != null && open.isActive()) {
      AvailabilityChangeEvent.publish(open, ReadinessState.REFUSING_TRAFFIC);
    }
  }
}
