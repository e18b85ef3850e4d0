package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.plan.Durations;
import io.lastcall.time.Deadline;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;
import org.springframework.util.ClassUtils;

/** Closes the context as a step of the shutdown, and holds others that would close it before. */
final class ContextClose {
  private static final Logger log = LoggerFactory.getLogger(ContextClose.class);
  private static final String LIFECYCLES = AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME;

  private static final String WAIT = "spring.lifecycle.timeout-per-shutdown-phase";
  private static final Duration A_MOMENT = Duration.ofSeconds(1);

  private static final boolean HAS_LOGBACK =
      ClassUtils.isPresent(
          "ch.qos.logback.classic.LoggerContext", ContextClose.class.getClassLoader());

  private final GracefulShutdown shutdown;
  private final ConfigurableApplicationContext context;
  private final Leftovers leftovers;
  private final HeldClose others;
  private final StartingThread starting = new StartingThread();

  /** Null until the shutdown closes the context. */
  private volatile @Nullable Deadline closing;

  /** To be called on the thread that makes the context. */
  ContextClose(
      GracefulShutdown shutdown, ConfigurableApplicationContext context, Leftovers leftovers) {
    this.shutdown = shutdown;
    this.context = context;
    this.leftovers = leftovers;
    this.others = new HeldClose(shutdown);
  }

  /** The step. */
  void run(Deadline deadline) {
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

  boolean hasBegun() {
    return closing != null;
  }

  /** Lets others close the context: the shutdown may end before it comes to the step. */
  void releaseOthers() {
    others.release();
  }

  /**
   * A context closes: ours, by the step or by Spring's hook at an exit that is not ours, or a child
   * of it within the step, as of Actuator on a port of its own, which has a server and a wait.
   *
   * @param hold whether others are to wait for the step
   */
  void closes(ApplicationContext closed, boolean hold) {
    if (closing == null && hold) {
      others.await();
    }
    Deadline deadline = closing;
    if (deadline != null) {
      waitBrieflyForRequests(closed, deadline);
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

  /** Says that Spring Boot's wait will be shortened, if it will be. */
  void logWait() {
    if (countsRequests(context) && !context.getEnvironment().containsProperty(WAIT)) {
      log.info(
          "Spring Boot's own wait for requests is at most {} s in a shutdown, since DRAIN has"
              + " waited for them; once set, {} stands",
          A_MOMENT.toSeconds(),
          WAIT);
    }
  }

  /** Whether something of ours counts the requests of a context's web server. */
  static boolean countsRequests(ApplicationContext open) {
    return open.containsBean(LastcallServletAutoConfiguration.FILTER)
        || open.containsBean(LastcallReactiveAutoConfiguration.DRAIN);
  }
}
