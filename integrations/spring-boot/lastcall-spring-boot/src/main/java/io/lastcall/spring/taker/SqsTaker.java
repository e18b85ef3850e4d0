package io.lastcall.spring.taker;

import io.awspring.cloud.sqs.config.SqsMessageListenerContainerFactory;
import io.awspring.cloud.sqs.listener.MessageListenerContainer;
import io.awspring.cloud.sqs.listener.MessageListenerContainerRegistry;
import io.awspring.cloud.sqs.listener.SqsMessageListenerContainer;
import io.lastcall.work.WorkSource;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.SmartLifecycle;
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
  static SqsAcknowledgements lastcallSqsAcknowledgements() {
    return new SqsAcknowledgements();
  }

  @Bean
  static TakerBeans lastcallSqsListeners(
      ObjectProvider<Takers> takers, ObjectProvider<SqsAcknowledgements> acknowledgements) {
    return new TakerBeans(takers, bean -> source(bean, acknowledgements));
  }

  private static @Nullable WorkSource source(
      Object bean, ObjectProvider<SqsAcknowledgements> acknowledgements) {
    if (bean instanceof MessageListenerContainerRegistry registry) {
      return source(registry, registry::getListenerContainers, acknowledgements.getObject());
    }
    if (bean instanceof SqsMessageListenerContainer<?> container) {
      acknowledgements.getObject().complete(container);
    }
    return bean instanceof MessageListenerContainer<?> container
        ? source(container, () -> List.of(container), acknowledgements.getObject())
        : null;
  }

  private static WorkSource source(
      SmartLifecycle taker,
      Supplier<Collection<MessageListenerContainer<?>>> containers,
      SqsAcknowledgements acknowledgements) {
    return WorkSource.ofBlockingStop(
        () -> {
          taker.stop();
          acknowledgements.requireSent(containers.get());
        });
  }

  @Bean
  static SmartLifecycle lastcallSqsContainers(
      ObjectProvider<MessageListenerContainerRegistry> registries,
      SqsAcknowledgements acknowledgements) {
    return new BeforeContainers(
        () ->
            registries.stream()
                .flatMap(registry -> registry.getListenerContainers().stream())
                .filter(SqsMessageListenerContainer.class::isInstance)
                .forEach(each -> acknowledgements.complete((SqsMessageListenerContainer<?>) each)));
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
