package io.lastcall.spring;

import io.micrometer.core.instrument.MeterRegistry;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.NativeDetector;

/**
 * Keeps the registries open in a shutdown, until its outcome is recorded: {@code ShutdownMetrics}
 * closes them then, and those that push send it. Spring Boot closes each of them twice as its
 * context closes, which is before EXIT: by a listener first, and as a bean. A context that closes
 * without a shutdown closes its registries as ever.
 */
final class LateRegistries implements BeanPostProcessor {
  /** Spring Boot's listener. */
  private static final String CLOSER = "meterRegistryCloser";

  /** Where a registry has this meter, {@code ShutdownMetrics} closes it. */
  private static final String OURS = "lastcall.shutdowns";

  private final ObjectProvider<ProcessShutdown> process;
  private final ConfigurableApplicationContext context;

  LateRegistries(ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
    this.process = process;
    this.context = context;
  }

  /** A native image makes no class of a proxy at run time; there the registries close early. */
  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (!name.equals(CLOSER)
        || !(bean instanceof ApplicationListener<?>)
        || NativeDetector.inNativeImage()) {
      return bean;
    }
    ProxyFactory proxies = new ProxyFactory(bean);
    proxies.setProxyTargetClass(true);
    proxies.addAdvice(
        (MethodInterceptor)
            call -> {
              if (isCloseInAShutdown(call.getArguments())) {
                keepOpen();
                return null;
              }
              return call.proceed();
            });
    return proxies.getProxy(bean.getClass().getClassLoader());
  }

  private boolean isCloseInAShutdown(Object[] arguments) {
    return arguments.length == 1
        && arguments[0] instanceof ContextClosedEvent event
        && context.equals(event.getApplicationContext())
        && process.getObject().shutdown().isShuttingDown();
  }

  private void keepOpen() {
    DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
    beans
        .getBeansOfType(MeterRegistry.class, false, false)
        .forEach(
            (name, registry) -> {
              if (registry.find(OURS).meter() == null) {
                registry.close();
              } else {
                // In place of the callback that would close it.
                beans.registerDisposableBean(name, () -> {});
              }
            });
  }
}
