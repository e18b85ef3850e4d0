package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.phase.Step;
import io.lastcall.work.WorkSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Gives the singleton beans to the shutdown, which takes their members with {@code @OnShutdown};
 * says which beans of another scope have such members, since nothing calls those. A bean is taken
 * as it was before it was proxied: its fields and private methods are its own; and only once it is
 * initialised, since one that fails leaves nothing to do. Those of start-up wait until all are
 * made, since the shutdown is a bean too.
 */
final class ShutdownBeans implements BeanPostProcessor, SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(ShutdownBeans.class);

  private final ObjectProvider<ProcessShutdown> process;
  private final ConfigurableApplicationContext context;

  /** By their names: being initialised, or failed at that. */
  private final Map<String, Object> unproxied = new ConcurrentHashMap<>();

  private final List<Object> waiting = new ArrayList<>();

  /** By identity: a bean may have several names, some of them of its proxy. */
  private final Set<Object> taken = Collections.newSetFromMap(new IdentityHashMap<>());

  private boolean started;

  ShutdownBeans(ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
    this.process = process;
    this.context = context;
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    if (new BeanOrigin(context.getBeanFactory(), name).isApplicationSingleton(bean.getClass())) {
      unproxied.put(name, bean);
    }
    return bean;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    Object own = unproxied.remove(name);
    if (own != null && !waits(own)) {
      take(own);
    }
    return bean;
  }

  /** Returns what a proxy stands for; another bean as it is. */
  private static Object target(Object bean) {
    Object target = bean;
    for (Object next = bean; next != null; next = AopProxyUtils.getSingletonTarget(next)) {
      target = next;
    }
    return target;
  }

  private synchronized boolean waits(Object bean) {
    return !started && waiting.add(bean);
  }

  @Override
  public void afterSingletonsInstantiated() {
    List<Object> made;
    synchronized (this) {
      started = true;
      made = List.copyOf(waiting);
      waiting.clear();
    }
    made.forEach(this::take);
    warnOfOtherScopes(context.getBeanFactory());
  }

  /** By its declared type: such a bean may be made for every request, or never. */
  private static void warnOfOtherScopes(ConfigurableListableBeanFactory beans) {
    for (String name : beans.getBeanDefinitionNames()) {
      BeanDefinition definition = beans.getMergedBeanDefinition(name);
      Class<?> type = definition.isSingleton() ? null : beans.getType(name, false);
      if (type != null && !OnShutdownMembers.of(type).isEmpty()) {
        log.warn(
            "@OnShutdown on bean '{}' ({}) is never called: its scope is {}, and only singletons"
                + " take part in the shutdown. Make it a singleton, or end each where it is used",
            name,
            type.getName(),
            definition.getScope());
      }
    }
  }

  private void take(Object bean) {
    Object own = target(bean);
    synchronized (this) {
      if (!taken.add(own)) {
        return;
      }
    }
    ProcessShutdown known = process.getObject();
    known.unlessShuttingDown(
        () -> {
          steps(own, context.getEnvironment()).forEach(known::step);
          addSources(own, known);
        });
  }

  /** Of its fields: a bean that is a source itself is known by its name. */
  private static void addSources(Object bean, ProcessShutdown process) {
    sources(bean)
        .forEach(
            (name, source) -> {
              if (source != bean) {
                process.stopFirst(name, source, source);
              }
            });
  }

  private static Map<String, WorkSource> sources(Object bean) {
    try {
      return GracefulShutdown.workSources(bean);
    } catch (IllegalArgumentException refusal) {
      throw new RefusedSettings(refusal);
    }
  }

  /** A refusal is explained as one of a setting is: the application can correct it. */
  private static List<Step> steps(Object bean, Environment environment) {
    if (bean.getClass().isAnnotationPresent(ShutdownSettings.class)) {
      throw new RefusedSettings(
          new IllegalArgumentException(
              "@ShutdownSettings on %s: the plan is made before any bean is; allowed: lastcall.*"
                      .formatted(bean.getClass().getName())
                  + " in the application's configuration"));
    }
    try {
      return GracefulShutdown.steps(bean, environment::resolveRequiredPlaceholders);
    } catch (IllegalArgumentException refusal) {
      throw new RefusedSettings(refusal);
    }
  }
}
