package io.lastcall.spring.taker;

import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;

/**
 * Names at start the beans that Spring would stop before its web server, and that go on until the
 * context closes, since nothing says whether requests need them.
 */
final class UnknownTakers {
  private static final Logger log = LoggerFactory.getLogger(UnknownTakers.class);

  private final Takers takers;
  private final ConfigurableApplicationContext context;

  UnknownTakers(Takers takers, ConfigurableApplicationContext context) {
    this.takers = takers;
    this.context = context;
  }

  @EventListener
  void ready(ApplicationReadyEvent event) {
    if (event.getApplicationContext().equals(context)) {
      List<String> names = names();
      if (!names.isEmpty()) {
        log.info(
            "Nothing stops these beans at the trigger of a shutdown, though Spring would stop them"
                + " before its web server: {}. One that takes work (messages, rows, jobs) goes on"
                + " taking until the context closes; if it does, set {}={}",
            String.join(", ", names),
            StopFirst.SETTING,
            String.join(",", names));
      }
    }
  }

  /** Those that are made: a lazy one that nothing has asked for takes nothing. */
  private List<String> names() {
    return context.getBeansOfType(SmartLifecycle.class, false, false).entrySet().stream()
        .filter(each -> isAboveServer(each.getValue()) && each.getValue().isRunning())
        .filter(each -> !takers.isStoppedFirst(each.getValue()))
        .filter(each -> !ServingBeans.isNoTaker(target(each.getValue())))
        .map(Map.Entry::getKey)
        .map(name -> name.startsWith("&") ? name.substring(1) : name)
        .sorted()
        .toList();
  }

  private static boolean isAboveServer(SmartLifecycle bean) {
    return bean.getPhase() > WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
  }

  private static Object target(Object bean) {
    Object target = AopProxyUtils.getSingletonTarget(bean);
    return target == null ? bean : target;
  }
}
