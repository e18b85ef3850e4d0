package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.Trigger;
import io.lastcall.plan.Durations;
import io.lastcall.probe.ReadinessPolicy;
import io.lastcall.report.ShutdownListener;
import io.lastcall.report.ShutdownReport;
import io.lastcall.time.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/** Keeps the shutdown and the context in step: started, ready, closed. */
final class ContextBridge implements ShutdownListener, DisposableBean {
  private static final Logger log = LoggerFactory.getLogger(ContextBridge.class);
  private static final String LIFECYCLES = AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME;

  private static final String WAIT = "spring.lifecycle.timeout-per-shutdown-phase";
  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private static final boolean HAS_LOGBACK =
      ClassUtils.isPresent(
          "ch.qos.logback.classic.LoggerContext", ContextBridge.class.getClassLoader());

  private final ProcessShutdown process;
  private final GracefulShutdown shutdown;
  private final ConfigurableApplicationContext context;
  private final Leftovers leftovers;
  private final HeldClose others;
  private final StartingThread starting = new StartingThread();
  private volatile boolean ready;
  private volatile boolean broken;

  /** By the application itself. */
  private volatile ReadinessState said = ReadinessState.REFUSING_TRAFFIC;

  /** Since readiness has been failed by being out of service, or by a shutdown for good. */
  private volatile boolean outOfService;

  private volatile boolean ending;

  /**
   * The deadline for closing the context; null until the shutdown closes it. From then on the
   * context's readiness events are ignored.
   */
  private volatile @Nullable Deadline closing;

  ContextBridge(
      ProcessShutdown process, ConfigurableApplicationContext context, Leftovers leftovers) {
    this.process = process;
    this.shutdown = process.shutdown();
    this.context = context;
    this.leftovers = leftovers;
    this.others = new HeldClose(shutdown);
    process.listener(this);
    // After every connection and closer: beans are in use until then. Spring Boot's own hook,
    // which runs after our phases, finds the context closed.
    process.step(
        Step.of(Phase.CLOSE_CONNECTIONS, "close the Spring context", step -> close(step.deadline()))
            .withOrder(Integer.MAX_VALUE));
    process.join(this);
  }

  private void close(Deadline deadline) {
    closing = deadline;
    if (HAS_LOGBACK) {
      BlockedConsole.detach(deadline);
    }
    waitBrieflyForRequests(context, deadline);
    starting.awaitPause(deadline.atMost(deadline.remaining().dividedBy(10)));
    others.release();
    leftovers.beforeClose(context);
    context.close();
    leftovers.refuse(aMoment(deadline));
  }

  /**
   * Called by Spring's hook at an exit that is not ours, and for a child context that closes within
   * ours: Actuator on a port of its own has a server there, and a wait. Before all other listeners,
   * whose beans may end at this event.
   */
  @EventListener
  @Order(Ordered.HIGHEST_PRECEDENCE)
  void closes(ContextClosedEvent event) {
    Deadline deadline = closing;
    if (deadline == null && ready) {
      others.await();
      deadline = closing;
    }
    if (deadline != null) {
      waitBrieflyForRequests(event.getApplicationContext(), deadline);
    }
  }

  /**
   * Shortens Spring Boot's wait for requests, which DRAIN has waited for already. Spring Boot
   * counts more than DRAIN does: streams, and probes that hang. Its wait is still needed for error
   * pages, which no filter counts, so they get a moment. The wait stays as it is where nothing of
   * ours counts requests, and where the application has set it.
   */
  private void waitBrieflyForRequests(ApplicationContext open, Deadline deadline) {
    if ((countsRequests(open) || shutdown.status().inFlight() > 0)
        && !open.getEnvironment().containsProperty(WAIT)
        && open.containsBean(LIFECYCLES)
        && open.getBean(LIFECYCLES) instanceof DefaultLifecycleProcessor lifecycles) {
      lifecycles.setTimeoutForShutdownPhase(
          WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE, // a constant: 3.5 has it too
          aMoment(deadline).remaining().toMillis());
    }
  }

  private static Deadline aMoment(Deadline deadline) {
    return deadline.atMost(Durations.min(deadline.remaining().dividedBy(10), A_MOMENT));
  }

  /** Whether something of ours counts the requests of its web server. */
  static boolean countsRequests(ApplicationContext open) {
    return open.containsBean(LastcallServletAutoConfiguration.FILTER)
        || open.containsBean(LastcallReactiveAutoConfiguration.DRAIN);
  }

  /** Whether it counts for the readiness of the process: has been ready, and was not closed. */
  boolean isRunning() {
    return ready && (closing != null || !context.isClosed());
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
      Environment environment = event.getApplicationContext().getEnvironment();
      if (countsRequests(event.getApplicationContext()) && !environment.containsProperty(WAIT)) {
        log.info(
            "Spring Boot's own wait for requests is at most {} s in a shutdown, since DRAIN has"
                + " waited for them; once set, {} stands",
            A_MOMENT.toSeconds(),
            WAIT);
      }
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

  /** Runs after {@code ApplicationAvailability}, so that the state we publish is the last one. */
  @EventListener
  void changed(AvailabilityChangeEvent<ReadinessState> event) {
    if (closing != null || event.getSource() instanceof ContextBridge) {
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
    if (closing == null) {
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
    others.release();
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
