package io.lastcall.spring;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** Whose a bean is, by its definition. */
record BeanOrigin(ConfigurableListableBeanFactory beans, String name) {
  private static final String SPRING = "org.springframework.";
  private static final String SPRING_BOOT = "org.springframework.boot.";

  /** By the definition: to ask for a factory's scope otherwise is to ask for the factory. */
  boolean isSingleton() {
    return beans.containsBeanDefinition(name) && beans.getMergedBeanDefinition(name).isSingleton();
  }

  /** Returns whether it is a singleton whose class is not Spring's. */
  boolean isApplicationSingleton(Class<?> type) {
    return !type.getName().startsWith(SPRING) && isSingleton();
  }

  /** Returns whether it is a singleton that the application makes, or Spring Boot for it. */
  boolean isMadeForApplication() {
    return isSingleton() && (!factoryClass().startsWith(SPRING) || isMadeBySpringBoot());
  }

  boolean isMadeBySpringBoot() {
    return factoryClass().startsWith(SPRING_BOOT);
  }

  /** Returns the class whose {@code @Bean} method makes it; empty if there is none. */
  String factoryClass() {
    Method factory = factory();
    return factory == null ? "" : factory.getDeclaringClass().getName();
  }

  /** Returns the {@code @Bean} method that makes it; null if there is none. */
  @Nullable Method factory() {
    return beans.containsBeanDefinition(name)
            && beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition made
        ? made.getResolvedFactoryMethod()
        : null;
  }
}
