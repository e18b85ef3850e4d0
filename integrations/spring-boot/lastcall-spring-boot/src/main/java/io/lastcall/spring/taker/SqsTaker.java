package io.lastcall.spring.taker;

import io.awspring.cloud.sqs.config.SqsMessageListenerContainerFactory;
import io.awspring.cloud.sqs.listener.MessageListenerContainer;
import io.awspring.cloud.sqs.listener.MessageListenerContainerRegistry;
import io.lastcall.work.WorkSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * SQS listeners of Spring Cloud AWS. A container's stop returns when its messages are acknowledged,
 * or after 20 s, with those that take longer cut. DRAIN says how long is waited.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MessageListenerContainerRegistry.class)
final class SqsTaker {
  @Bean
  static TakerBeans lastcallSqsListeners(ObjectProvider<Takers> takers) {
    return new TakerBeans(takers, SqsTaker::source);
  }

  private static @Nullable WorkSource source(Object bean) {
    if (bean instanceof MessageListenerContainerRegistry registry) {
      return WorkSource.ofBlockingStop(registry::stop);
    }
    return bean instanceof MessageListenerContainer<?> container
        ? WorkSource.ofBlockingStop(container::stop)
        : null;
  }

  @Bean
  static BeanPostProcessor lastcallSqsTimeouts(ObjectProvider<Takers> takers) {
    return new Timeouts(takers);
  }

  /** A container takes its timeout as it is made, by its factory. */
  private record Timeouts(ObjectProvider<Takers> takers) implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof SqsMessageListenerContainerFactory<?> factory) {
        Duration grace = takers.getObject().shutdown().plan().gracePeriod();
        factory.configure(options -> options.listenerShutdownTimeout(grace));
      }
      return bean;
    }
  }
}
