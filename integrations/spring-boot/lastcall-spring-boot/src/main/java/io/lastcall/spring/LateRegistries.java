package io.lastcall.spring;

import io.lastcall.spring.internals.SpringInternals;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.AbstractApplicationContext;

/**
 * Keeps the registries open in a shutdown, until its outcome is recorded: {@code ShutdownMetrics}
 * closes them then, and those that push send it. Spring Boot closes each of them twice as its
 * context closes, which is before EXIT: by a listener, whose place this takes, and as a bean. A
 * context that closes without a shutdown closes its registries as ever.
 */
final class LateRegistries
    implements ApplicationListener<ContextClosedEvent>, SmartInitializingSingleton {
  /** Where a registry has this meter, {@code ShutdownMetrics} closes it. */
  private static final String OURS = "lastcall.shutdowns";

  private final ObjectProvider<ProcessShutdown> process;
  private final ConfigurableApplicationContext context;
  private volatile boolean closesAll;

  LateRegistries(ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
    this.process = process;
    this.context = context;
  }

  /** An application without Spring Boot's listener closes its registries as beans alone. */
  @Override
  public void afterSingletonsInstantiated() {
    if (context.containsLocalBean(SpringInternals.METER_REGISTRY_CLOSER)) {
      Object closer = context.getBean(SpringInternals.METER_REGISTRY_CLOSER);
      ApplicationEventMulticaster listeners =
          context.getBean(
              AbstractApplicationContext.APPLICATION_EVENT_MULTICASTER_BEAN_NAME,
              ApplicationEventMulticaster.class);
      listeners.removeApplicationListeners(closer::equals);
      listeners.removeApplicationListenerBeans(SpringInternals.METER_REGISTRY_CLOSER::equals);
      closesAll = true;
    }
  }

  @Override
  public void onApplicationEvent(ContextClosedEvent event) {
    if (!context.equals(event.getApplicationContext())) {
      return;
    }
    boolean ends = process.getObject().shutdown().isShuttingDown();
    DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
    beans
        .getBeansOfType(MeterRegistry.class, false, false)
        .forEach(
            (name, registry) -> {
              if (ends && registry.find(OURS).meter() != null) {
                // In place of the callback that would close it.
                beans.registerDisposableBean(name, () -> {});
              } else if (closesAll) {
                registry.close();
              }
            });
  }
}
