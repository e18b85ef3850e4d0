package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Keeps the shutdown and the context in step: started, ready, closed. */
final class ContextBridge implements ShutdownListener, DisposableBean {
  private final ProcessShutdown process;
  private final GracefulShutdown shutdown;
  private final ConfigurableApplicationContext context;
  private final ContextClose close;
  private volatile boolean ready;
  private volatile boolean broken;

  /** By the application itself. */
  private volatile ReadinessState said = ReadinessState.REFUSING_TRAFFIC;

  /** Since readiness has been failed by being out of service, or by a shutdown for good. */
  private volatile boolean outOfService;

  private volatile boolean ending;

  ContextBridge(
      ProcessShutdown process, ConfigurableApplicationContext context, Leftovers leftovers) {
    this.process = process;
    this.shutdown = process.shutdown();
    this.context = context;
    this.close = new ContextClose(shutdown, context, leftovers);
    process.listener(this);
    // After every connection and closer: beans are in use until then. Spring Boot's own hook,
    // which runs after our phases, finds the context closed.
    process.step(
        Step.of(
                Phase.CLOSE_CONNECTIONS,
                "close the Spring context",
                step -> close.run(step.deadline()))
            .withOrder(Integer.MAX_VALUE));
    process.join(this);
  }

  /** Before all other listeners, whose beans may end at this event. */
  @EventListener
  @Order(Ordered.HIGHEST_PRECEDENCE)
  void closes(ContextClosedEvent event) {
    close.closes(event.getApplicationContext(), ready);
  }

  /** Whether it counts for the readiness of the process: has been ready, and was not closed. */
  boolean isRunning() {
    return ready && (close.hasBegun() || !context.isClosed());
  }

  boolean isOf(GracefulShutdown other) {
    return shutdown.equals(other);
  }

  /** Returns the readiness that the application itself has published last. */
  ReadinessState readiness() {
    return said;
  }

  /** Whether the application says that only a restart helps. */
  boolean isBroken() {
    return broken;
  }

  @EventListener
  void ready(ApplicationReadyEvent event) {
    if (!isOthers(event.getApplicationContext())) {
      startUpEnds();
      close.logWait();
    }
  }

  /** The application may have said in its start-up that it accepts traffic. */
  @EventListener
  void runnersBegin(ApplicationStartedEvent event) {
    if (!isOthers(event.getApplicationContext()) && said == ReadinessState.ACCEPTING_TRAFFIC) {
      startUpEnds();
    }
  }

  private void startUpEnds() {
    shutdown.started();
    ready = true;
    process.availabilityChanged();
  }

  /** A child's events come to its parents too; they are about the child alone. */
  private boolean isOthers(Object source) {
    return source instanceof ApplicationContext other && !other.equals(context);
  }

  @EventListener
  void livenessChanged(AvailabilityChangeEvent<LivenessState> event) {
    broken = event.getState() == LivenessState.BROKEN;
    process.availabilityChanged();
  }

  /**
   * Runs after {@code ApplicationAvailability}, so that the state we publish is the last one.
   * Events of a context that the shutdown closes are ignored.
   */
  @EventListener
  void changed(AvailabilityChangeEvent<ReadinessState> event) {
    if (close.hasBegun() || event.getSource() instanceof ContextBridge) {
      return;
    }
    if (!isOthers(event.getSource())) {
      said = event.getState();
      if (said == ReadinessState.ACCEPTING_TRAFFIC && context.isRunning()) {
        startUpEnds(); // by a runner, which may never return
      } else {
        process.availabilityChanged();
      }
    }
    if (wanted() != event.getState()) {
      publish();
    }
  }

  @Override
  public void destroy() {
    if (!close.hasBegun()) {
      process.leave(this);
    }
  }

  @Override
  public void outOfService(boolean on) {
    outOfService = on;
    publish();
  }

  @Override
  public void began(Trigger trigger) {
    if (shutdown.plan().readinessPolicy() == ReadinessPolicy.IMMEDIATE) {
      ending = true;
      publish();
    }
  }

  @Override
  public void phaseStarted(Phase phase) {
    if (phase == Phase.FAIL_READINESS
        && shutdown.plan().readinessPolicy() == ReadinessPolicy.AFTER_PROPAGATION) {
      ending = true;
      publish();
    }
  }

  /** Releases others where the phases did not come to the context. */
  @Override
  public void completed(ShutdownReport report) {
    close.releaseOthers();
  }

  private ReadinessState wanted() {
    return outOfService || ending ? ReadinessState.REFUSING_TRAFFIC : said;
  }

  /**
   * Publishes again if the state has changed meanwhile, so that the last event is the right one.
   */
  private void publish() {
    ReadinessState published = null;
    while (context.isActive() && published != wanted()) {
      published = wanted();
      AvailabilityChangeEvent.publish(context, this, published);
    }
  }
}
