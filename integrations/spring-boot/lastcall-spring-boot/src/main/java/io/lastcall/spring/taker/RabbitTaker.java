package io.lastcall.spring.taker;

import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.WorkSource;
import java.util.Collection;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.amqp.core.AsyncAmqpTemplate;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * RabbitMQ listeners. By default they call back after 5 s, and close the channel of a listener that
 * still runs.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RabbitListenerEndpointRegistry.class)
final class RabbitTaker {
  @Bean
  static TakerBeans lastcallRabbitListeners(ObjectProvider<Takers> takers) {
    return new TakerBeans(takers, bean -> source(bean, takers));
  }

  private static @Nullable WorkSource source(Object bean, ObjectProvider<Takers> takers) {
    if (bean instanceof RabbitListenerEndpointRegistry registry) {
      return new JointSource(
          () -> containers(registry).map(each -> source((SmartLifecycle) each, takers)).toList());
    }
    return bean instanceof AbstractMessageListenerContainer container
        ? source((SmartLifecycle) container, takers)
        : null;
  }

  private static WorkSource source(SmartLifecycle container, ObjectProvider<Takers> takers) {
    return container instanceof AbstractMessageListenerContainer rabbit
        ? new LateAcknowledgements(
            () -> RabbitAcknowledgements.of(rabbit),
            new ListenerSource(
                rabbit, on -> awaitLast(rabbit, takers), () -> receivesReplies(rabbit)))
        : new ListenerSource(container, on -> {});
  }

  /** Of a type that is not there in Spring Boot 3.5. */
  private static Stream<?> containers(RabbitListenerEndpointRegistry registry) {
    Supplier<Collection<?>> containers = registry::getListenerContainers;
    return containers.get().stream();
  }

  /** Containers that are beans, or within adapters of Spring Integration. */
  @Bean
  static BeanPostProcessor lastcallRabbitContainers() {
    return new Containers();
  }

  @Bean
  static SmartLifecycle lastcallRabbitAcknowledgements(
      ObjectProvider<RabbitListenerEndpointRegistry> registries) {
    return new BeforeContainers(
        () -> registries.stream().flatMap(RabbitTaker::containers).forEach(RabbitTaker::watch));
  }

  private static final class Containers implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      watch(bean);
      SpringInternals.containers(bean).forEach(RabbitTaker::watch);
      return bean;
    }
  }

  private static void watch(Object container) {
    if (container instanceof AbstractMessageListenerContainer rabbit) {
      RabbitAcknowledgements.watch(rabbit);
    }
  }

  /** A template's own listener takes what other processes answer to its requests. */
  static boolean receivesReplies(AbstractMessageListenerContainer container) {
    Object listener = container.getMessageListener();
    return listener instanceof AmqpTemplate || listener instanceof AsyncAmqpTemplate;
  }

  private static void awaitLast(
      AbstractMessageListenerContainer container, ObjectProvider<Takers> takers) {
    container.setShutdownTimeout(takers.getObject().shutdown().plan().gracePeriod().toMillis());
  }
}
