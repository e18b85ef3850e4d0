package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AmqpTemplate;
import org.springframework.amqp.core.AsyncAmqpTemplate;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
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
      // Of a type that is not there in Spring Boot 3.5.
      Supplier<Collection<?>> containers = registry::getListenerContainers;
      return new ListenerSource(
          registry, on -> containers.get().forEach(each -> awaitLast(each, takers)));
    }
    return bean instanceof AbstractMessageListenerContainer container
        ? new ListenerSource(
            container, on -> awaitLast(container, takers), () -> receivesReplies(container))
        : null;
  }

  /** A template's own listener takes what other processes answer to its requests. */
  static boolean receivesReplies(AbstractMessageListenerContainer container) {
    Object listener = container.getMessageListener();
    return listener instanceof AmqpTemplate || listener instanceof AsyncAmqpTemplate;
  }

  private static void awaitLast(Object container, ObjectProvider<Takers> takers) {
    if (container instanceof AbstractMessageListenerContainer rabbit) {
      rabbit.setShutdownTimeout(takers.getObject().shutdown().plan().gracePeriod().toMillis());
    }
  }
}
