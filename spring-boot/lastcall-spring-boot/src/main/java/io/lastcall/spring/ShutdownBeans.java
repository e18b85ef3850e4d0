package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.phase.Step;
import java.lang.reflect.Field;
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
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ReflectionUtils;

/**
 * Gives the singleton beans to the shutdown, which takes their members with {@code @OnShutdown};
 * says which beans of another scope have such members, since nothing calls those. A bean is taken
 * as it was before it was proxied: its fields and private methods are its own; and only once it is
 * initialised, since one that fails leaves nothing to do. Those of start-up wait until all are
 * made, since the shutdown is a bean too.
 */
final class ShutdownBeans implements BeanPostProcessor, SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(ShutdownBeans.class);
  private static final String SPRING = "org.springframework.";

  private final ObjectProvider<ProcessShutdown> process;
  private final ConfigurableApplicationContext context;
  private final ClosedOnce closedOnce;

  /** By their names: being initialised, or failed at that. */
  private final Map<String, Object> unproxied = new ConcurrentHashMap<>();

  private final List<Object> waiting = new ArrayList<>();

  /** By identity: a bean may have several names, and be proxied behind the first. */
  private final Set<Object> taken = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Of beans of other scopes: names that were warned of, names and classes that were looked at. */
  private final Set<String> looked = ConcurrentHashMap.newKeySet();

  private boolean started;

  ShutdownBeans(
      ObjectProvider<ProcessShutdown> process,
      ConfigurableApplicationContext context,
      ClosedOnce closedOnce) {
    this.process = process;
    this.context = context;
    this.closedOnce = closedOnce;
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    if (takesPart(bean.getClass(), name, context.getBeanFactory())) {
      unproxied.put(name, bean);
    } else {
      warnIfScoped(name, bean.getClass());
    }
    return bean;
  }

  /**
   * Whether a bean is the application's, and a singleton. By its definition: to ask for a factory's
   * scope otherwise is to ask for the factory.
   */
  static boolean takesPart(Class<?> type, String name, ConfigurableListableBeanFactory beans) {
    return !type.getName().startsWith(SPRING)
        && beans.containsBeanDefinition(name)
        && beans.getMergedBeanDefinition(name).isSingleton();
  }

  /** Such a bean may be made for every request, or never: it is said once, and at the start. */
  private void warnIfScoped(String name, Class<?> type) {
    if (isScoped(name)
        && looked.add(name + " " + type.getName())
        && StepMembers.any(type)
        && looked.add(name)) {
      log.warn(
          "@OnShutdown on bean '{}' ({}) is never called: its scope is {}, and only singletons take"
              + " part in the shutdown. Make it a singleton, or end each where it is used",
          name,
          type.getName(),
          context.getBeanFactory().getMergedBeanDefinition(name).getScope());
    }
  }

  private boolean isScoped(String name) {
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    return beans.containsBeanDefinition(name) && !beans.getMergedBeanDefinition(name).isSingleton();
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
  static Object target(Object bean) {
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
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    for (String name : beans.getBeanDefinitionNames()) {
      Class<?> type = isScoped(name) ? beans.getType(name, false) : null;
      if (type != null) {
        warnIfScoped(name, type);
      }
    }
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
      steps(own).forEach(step -> known.step(closedOnce.guarded(step, own, known.shutdown())));
      warnIfClosedTwice(own);
    } catch (IllegalStateException e) {
      closedOnce.leaveToContext(own);
      if (!known.shutdown().isShuttingDown()) {
        throw e;
      }
    }
  }

  /** Closed by a step of another bean's, and by the context: neither knows of the other. */
  private void warnIfClosedTwice(Object bean) {
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    for (Field field : StepMembers.fields(bean.getClass())) {
      ReflectionUtils.makeAccessible(field);
      Object value = ReflectionUtils.getField(field, bean);
      for (String name : beans.getSingletonNames()) {
        if (value != null
            && beans.containsBeanDefinition(name)
            && beans.getSingleton(name) == value
            && !"".equals(beans.getMergedBeanDefinition(name).getDestroyMethodName())) {
          log.warn(
              "@OnShutdown on the field {} of {} closes the bean '{}', and so does its context:"
                  + " twice. Remove the annotation, or declare the bean with"
                  + " @Bean(destroyMethod = \"\")",
              field.getName(),
              bean.getClass().getName(),
              name);
        }
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
