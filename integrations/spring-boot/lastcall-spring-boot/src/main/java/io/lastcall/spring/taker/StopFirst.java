package io.lastcall.spring.taker;

import io.lastcall.plan.NearestName;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Stops at the trigger the beans that {@code lastcall.stop-first} names. A name that cannot be
 * meant is refused at start, with the nearest one.
 */
final class StopFirst implements SmartInitializingSingleton {
  /** The setting's name. */
  static final String SETTING = "lastcall.stop-first";

  private static final String ALLOWED =
      "names of beans that are a Lifecycle or AutoCloseable, or a method without parameters as in"
          + " ordersEngine.pause";

  private final Takers takers;
  private final ConfigurableApplicationContext context;

  StopFirst(Takers takers, ConfigurableApplicationContext context) {
    this.takers = takers;
    this.context = context;
  }

  @Override
  public void afterSingletonsInstantiated() {
    names(context.getEnvironment()).forEach(this::add);
  }

  /** Returns the beans, or methods of beans, that the setting names. */
  static List<String> names(Environment environment) {
    return Binder.get(environment)
        .bind(SETTING, Bindable.listOf(String.class))
        .orElse(List.of())
        .stream()
        .map(String::strip)
        .toList();
  }

  private void add(String name) {
    int dot = name.lastIndexOf('.');
    if (context.containsBean(name)) {
      addBean(name);
    } else if (dot > 0 && context.containsBean(name.substring(0, dot))) {
      addMethod(name, name.substring(0, dot), name.substring(dot + 1));
    } else {
      throw refused(name, "there is no bean of that name" + nearest(name));
    }
  }

  private void addBean(String name) {
    String stopping = factoryOrProduct(name);
    if (!BeanStop.canStop(context.getType(stopping))) {
      throw refused(
          name,
          "%s is neither a Lifecycle nor AutoCloseable%s".formatted(typeName(name), nearest(name)));
    }
    Object bean = context.getBean(stopping);
    refuseServer(name, bean);
    takers.stopFirst(name, bean, BeanStop.of(bean, threads(name)));
  }

  private void addMethod(String named, String name, String methodName) {
    Object bean = context.getBean(factoryOrProduct(name));
    refuseServer(named, bean);
    Method method = BeanStop.method(AopUtils.getTargetClass(bean), methodName);
    if (method == null) {
      throw refused(
          named,
          "%s has no method %s without parameters%s"
              .formatted(typeName(name), methodName, nearestMethod(bean, methodName)));
    }
    takers.stopFirst(named, bean, BeanStop.of(bean, method, threads(name)));
  }

  private BeanStop.Threads threads(String name) {
    return () -> OwnThreads.of(context.getBeanFactory()).awaitEnd(name);
  }

  /** A factory may be what starts and stops, with a product that cannot. */
  private String factoryOrProduct(String name) {
    String factory = BeanFactory.FACTORY_BEAN_PREFIX + name;
    return !BeanStop.canStop(context.getType(name)) && context.containsBean(factory)
        ? factory
        : name;
  }

  private void refuseServer(String name, Object bean) {
    if (BeanKinds.isOwnServer(name, bean.getClass())) {
      throw refused(
          name,
          "%s is a server, which serves until DRAIN has ended%s"
              .formatted(bean.getClass().getName(), nearest(name)));
    }
  }

  private RuntimeException refused(String name, String why) {
    return takers.refusal("%s=%s: %s; allowed: %s".formatted(SETTING, name, why, ALLOWED));
  }

  private @Nullable String typeName(String name) {
    Class<?> type = context.getType(name);
    return type == null ? name : type.getName();
  }

  private String nearest(String name) {
    ConfigurableListableBeanFactory beans = context.getBeanFactory();
    return nearest(
        name,
        Stream.of(beans.getBeanDefinitionNames())
            .filter(other -> !other.equals(name) && beans.isSingleton(other))
            .filter(other -> BeanStop.canStop(beans.getType(factoryOrProduct(other), false)))
            .filter(other -> !BeanKinds.isOwnServer(other, beans.getType(other, false))));
  }

  private static String nearestMethod(Object bean, String name) {
    return nearest(
        name,
        Stream.of(AopUtils.getTargetClass(bean).getMethods())
            .filter(method -> method.getParameterCount() == 0)
            .filter(method -> method.getDeclaringClass() != Object.class)
            .map(Method::getName));
  }

  private static String nearest(String name, Stream<String> known) {
    Optional<String> nearest = NearestName.of(name, known);
    return nearest.map(other -> "; the nearest is " + other).orElse("");
  }
}
