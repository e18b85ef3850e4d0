package io.lastcall.spring.taker;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.event.EventListener;

/**
 * Names at start what may take work until the context closes, since nothing says whether requests
 * need it: beans with a lifecycle, beans whose class is called as takers are, schedulers that
 * nothing counts, and threads of the application.
 */
final class UnknownTakers {
  private static final Logger log = LoggerFactory.getLogger(UnknownTakers.class);

  private final Takers takers;
  private final ConfigurableApplicationContext context;
  private boolean named;

  UnknownTakers(Takers takers, ConfigurableApplicationContext context) {
    this.takers = takers;
    this.context = context;
  }

  /** Once start-up is over: readiness does not wait for a look at all beans and threads. */
  @EventListener
  void changed(AvailabilityChangeEvent<ReadinessState> event) {
    if (event.getSource().equals(context)
        && event.getState() == ReadinessState.ACCEPTING_TRAFFIC
        && !named) {
      named = true;
      OwnLoops.follow(takers, context.getBeanFactory());
      Map<String, Object> unknown = new TreeMap<>();
      addLifecycles(unknown);
      addNamedAsTakers(unknown);
      Set<String> loose = new TreeSet<>();
      OwnThreads threads = OwnThreads.of(context.getBeanFactory());
      addSchedulers(unknown, threads);
      addThreads(unknown, loose, threads);
      if (!unknown.isEmpty()) {
        log.info(
            "Nothing stops these beans at the trigger of a shutdown: {}. One that takes work"
                + " (messages, rows, jobs) goes on taking until the context closes; if it does, set"
                + " {}={}",
            String.join(", ", unknown.keySet()),
            StopFirst.SETTING,
            String.join(
                ",",
                unknown.entrySet().stream().map(e -> stop(e.getKey(), e.getValue())).toList()));
      }
      if (!loose.isEmpty()) {
        log.info(
            "Nothing stops these threads of the application at the trigger of a shutdown: {}. One"
                + " that takes work goes on until the process ends; if it does, end it in a method"
                + " of a bean, and set {}=bean.method",
            String.join(", ", loose),
            StopFirst.SETTING);
      }
    }
  }

  /**
   * Those that are made: a lazy one that nothing has asked for takes nothing. One below the web
   * server's phase is meant to be there while requests are.
   */
  private void addLifecycles(Map<String, Object> unknown) {
    context
        .getBeansOfType(Lifecycle.class, false, false)
        .forEach(
            (name, bean) -> {
              if (bean != context && bean.isRunning() && !isBelowServer(bean)) {
                add(unknown, name, bean);
              }
            });
  }

  private static boolean isBelowServer(Lifecycle bean) {
    return bean instanceof Phased phased
        && phased.getPhase() <= WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
  }

  private void addNamedAsTakers(Map<String, Object> unknown) {
    for (String name : context.getBeanFactory().getSingletonNames()) {
      Object bean = context.getBeanFactory().getSingleton(name);
      if (bean != null
          && !(bean instanceof Lifecycle)
          && BeanKinds.isTaker(AopProxyUtils.ultimateTargetClass(bean))
          && !BeanKinds.isListener(AopProxyUtils.ultimateTargetClass(bean))
          && (bean instanceof AutoCloseable || BeanStop.endMethod(bean.getClass()).isPresent())) {
        add(unknown, name, bean);
      }
    }
  }

  private void addSchedulers(Map<String, Object> unknown, OwnThreads threads) {
    for (String name : context.getBeanFactory().getSingletonNames()) {
      Object bean = context.getBeanFactory().getSingleton(name);
      if (bean != null
          && !takers.isStoppedFirst(bean)
          && OwnSchedulers.isOrHas(bean, threads)
          && !takers.hasSteps(bean)) {
        unknown.put(name, bean);
      }
    }
  }

  /** Those of a task that is counted, too: one that runs since start-up may be a loop. */
  private void addThreads(Map<String, Object> unknown, Set<String> loose, OwnThreads threads) {
    for (OwnThreads.Found found : threads.begun()) {
      if (found.beans().isEmpty()) {
        loose.add(found.toString());
      }
      for (String name : found.beans()) {
        Object bean = context.getBeanFactory().getSingleton(name);
        if (bean != null && !takers.hasSteps(bean) && mayTake(found, bean, threads)) {
          add(unknown, name, bean);
        }
      }
    }
  }

  /**
   * Whether a bean with a thread may take work: most libraries' threads export, refresh or watch,
   * and have no code of the application. A counted task of a listener is a piece of what it takes.
   */
  private static boolean mayTake(OwnThreads.Found found, Object bean, OwnThreads threads) {
    Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
    boolean isPiece = found.owner() == OwnThreads.Owner.COUNTED && BeanKinds.isListener(type);
    return !isPiece && (BeanKinds.isTaker(type) || !threads.isOfLibrary(type.getName()));
  }

  private void add(Map<String, Object> unknown, String name, Object bean) {
    if (!takers.isStoppedFirst(bean)
        && !BeanKinds.isNoTaker(AopProxyUtils.ultimateTargetClass(bean))) {
      unknown.put(name.startsWith("&") ? name.substring(1) : name, bean);
    }
  }

  /** Returns what stops a bean, as the setting has it. */
  private static String stop(String name, Object bean) {
    Class<?> type = AopProxyUtils.ultimateTargetClass(bean);
    return BeanStop.canStop(type)
        ? name
        : name + "." + BeanStop.endMethod(type).orElse("<a method that stops it>");
  }
}
