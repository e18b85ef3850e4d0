package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.phase.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Gives the singleton beans to the shutdown, which takes their members with {@code @OnShutdown}. A
 * bean is taken as it was before it was proxied: its fields and private methods are its own; and
 * only once it is initialised, since one that fails leaves nothing to do. Those of start-up wait
 * until all are made, since the shutdown is a bean too.
 */
final class ShutdownBeans implements BeanPostProcessor, SmartInitializingSingleton {
  private static final String SPRING = "org.springframework.";

  private final ObjectProvider<ProcessShutdown> process;
  private final ConfigurableApplicationContext context;

  /** By their names: being initialised, or failed at that. */
  private final Map<String, Object> unproxied = new ConcurrentHashMap<>();

  private final List<Object> waiting = new ArrayList<>();

  /** By identity: a bean may have several names, and be proxied behind the first. */
  private final Set<Object> taken = Collections.newSetFromMap(new IdentityHashMap<>());

  private boolean started;

  ShutdownBeans(ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
    this.process = process;
    this.context = context;
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    if (!bean.getClass().getName().startsWith(SPRING) && isSingleton(name)) {
      unproxied.put(name, bean);
    }
    return bean;
  }

  /** By its definition: to ask for a factory's scope otherwise is to ask for the factory. */
  private boolean isSingleton(String name) {
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    return beans.containsBeanDefinition(name) && beans.getMergedBeanDefinition(name).isSingleton();
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    Object own = unproxied.remove(name);
    if (own != null && !waits(own)) {
      take(own);
    }
    return bean;
  }

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
  }

  /** A bean that is made only now, by a shutdown under way, is left to the context. */
  private void take(Object bean) {
    Object own = target(bean);
    synchronized (this) {
      if (!taken.add(own)) {
        return;
      }
    }
    ProcessShutdown known = process.getObject();
    try {
      steps(own).forEach(known::step);
    } catch (IllegalStateException e) {
      if (known.shutdown().status().trigger().isEmpty()) {
        throw e;
      }
    }
  }

  /** A refusal is the application's to mend, and told as one of its settings is. */
  private static List<Step> steps(Object bean) {
    if (bean.getClass().isAnnotationPresent(ShutdownSettings.class)) {
      throw new RefusedSettings(
          new IllegalArgumentException(
              "@ShutdownSettings on %s: the plan is made before any bean is; allowed: lastcall.*"
                      .formatted(bean.getClass().getName())
                  + " in the application's configuration"));
    }
    try {
      return GracefulShutdown.steps(bean);
    } catch (IllegalArgumentException refusal) {
      throw new RefusedSettings(refusal);
    }
  }
}
