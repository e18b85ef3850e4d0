package io.lastcall.examples.spring;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Finds the singleton beans with {@code @OnShutdown}, and closes the context behind our phases. A
 * bean is taken as it was before it was proxied: its fields and private methods are its own; and
 * only once it is initialised, since one that fails leaves nothing to do.
 */
public final class ShutdownBeans implements BeanPostProcessor {
  private final GracefulShutdown shutdown;
  private final ConfigurableApplicationContext context;

  /** By their names: being initialised, or failed at that. */
  private final Map<String, Object> unproxied = new ConcurrentHashMap<>();

  private ShutdownBeans(GracefulShutdown shutdown, ConfigurableApplicationContext context) {
    this.shutdown = shutdown;
    this.context = context;
  }

  /** Call before {@code refresh()}; do not call {@code registerShutdownHook()}. */
  public static void register(GracefulShutdown shutdown, ConfigurableApplicationContext context) {
    // Some contexts, those of a web application above all, make the factory in refresh().
    context.addBeanFactoryPostProcessor(
        beans -> beans.addBeanPostProcessor(new ShutdownBeans(shutdown, context)));
    // Behind every connection and closer: beans are in use until then. A hook of Spring's would
    // close them beside our DRAIN when somebody calls System.exit.
    shutdown.step(
        Step.of(Phase.CLOSE_CONNECTIONS, "close the Spring context", step -> context.close())
            .withOrder(Integer.MAX_VALUE));
  }

  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    if (isSingleton(name) && AnnotationUtils.isCandidateClass(bean.getClass(), OnShutdown.class)) {
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
    if (own != null) {
      take(own);
    }
    return bean;
  }

  /** One that is made only now, by a shutdown under way, is left to the context. */
  private void take(Object bean) {
    try {
      if (!GracefulShutdown.steps(bean).isEmpty()) {
        shutdown.components(bean);
      }
    } catch (IllegalStateException e) {
      if (!shutdown.isShuttingDown()) {
        throw e;
      }
    }
  }
}
