package io.lastcall.spring.taker;

import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.WorkSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.stream.config.ListenerContainerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.env.Environment;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.requestreply.ReplyingKafkaOperations;

/**
 * Kafka listeners. They stop between two records: a poll brings up to 500, and those that are left
 * belong to another consumer as soon as this one leaves its group.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(KafkaListenerEndpointRegistry.class)
final class KafkaTaker {
  /** Spring Boot's name of the same switch: what somebody sets stands. */
  private static final String IMMEDIATE_STOP = "spring.kafka.listener.immediate-stop";

  @Bean
  static TakerBeans lastcallKafkaListeners(ObjectProvider<Takers> takers) {
    return new TakerBeans(takers, bean -> source(bean, takers));
  }

  private static @Nullable WorkSource source(Object bean, ObjectProvider<Takers> takers) {
    if (bean instanceof KafkaListenerEndpointRegistry registry) {
      return new JointSource(
          () ->
              registry.getListenerContainers().stream().map(each -> source(each, takers)).toList());
    }
    return bean instanceof MessageListenerContainer container ? source(container, takers) : null;
  }

  private static WorkSource source(
      MessageListenerContainer container, ObjectProvider<Takers> takers) {
    WorkSource listeners =
        new ListenerSource(
            container, on -> refuseLate(on, container, takers), () -> receivesReplies(container));
    return new LateAcknowledgements(() -> KafkaAcknowledgements.of(container), listeners);
  }

  /** At the end: what executors run for a listener is done by then. */
  private static void refuseLate(
      boolean begins, MessageListenerContainer container, ObjectProvider<Takers> takers) {
    List<Collection<?>> late = begins ? KafkaAcknowledgements.late(container) : List.of();
    if (!late.isEmpty()) {
      takers
          .getObject()
          .step(
              Step.of(
                  Phase.CLOSE_CONNECTIONS,
                  "acknowledgements of " + container.getListenerId(),
                  context -> KafkaAcknowledgements.refuse(late)));
    }
  }

  /** A template's own listener takes what other processes answer to its requests. */
  private static boolean receivesReplies(MessageListenerContainer container) {
    return container instanceof AbstractMessageListenerContainer<?, ?> known
        && known.getContainerProperties().getMessageListener() instanceof ReplyingKafkaOperations;
  }

  @Bean
  static BetweenRecords lastcallKafkaBetweenRecords(Environment environment) {
    return new BetweenRecords(environment.containsProperty(IMMEDIATE_STOP));
  }

  /** A container reads the switch as it starts, so it is set before. */
  record BetweenRecords(boolean isSet) implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> factory) {
        set(factory.getConsumerFactory(), factory.getContainerProperties());
      } else {
        setIn(bean);
        SpringInternals.containers(bean).forEach(this::setIn);
      }
      return bean;
    }

    void setIn(Object bean) {
      if (bean instanceof AbstractMessageListenerContainer<?, ?> container
          && SpringInternals.KAFKA_CONSUMERS.isIn(container)) {
        set(
            (ConsumerFactory<?, ?>) SpringInternals.KAFKA_CONSUMERS.of(container),
            container.getContainerProperties());
      }
    }

    private void set(@Nullable ConsumerFactory<?, ?> consumers, ContainerProperties container) {
      if (!isSet && consumers != null && !commitsPolls(consumers, container)) {
        container.setStopImmediate(true);
      }
    }

    /**
     * With {@code enable.auto.commit} the client commits whole polls: what is left would be lost.
     */
    private static boolean commitsPolls(
        ConsumerFactory<?, ?> consumers, ContainerProperties container) {
      String own =
          container
              .getKafkaConsumerProperties()
              .getProperty(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
      Map<String, Object> all = consumers.getConfigurationProperties();
      return own != null
          ? Boolean.parseBoolean(own)
          : all.containsKey(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG) && consumers.isAutoCommit();
    }
  }

  /**
   * Spring Cloud Stream makes its containers in a context of its own, where only a customizer sees
   * them before they start: the application's, or this one.
   */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ListenerContainerCustomizer.class)
  static final class Bindings {
    @Bean
    @Fallback
    ListenerContainerCustomizer<AbstractMessageListenerContainer<?, ?>> lastcallKafkaBindings(
        BetweenRecords betweenRecords) {
      return (container, destination, group) -> betweenRecords.setIn(container);
    }

    @Bean
    static BeanPostProcessor lastcallKafkaCustomizers(
        ObjectProvider<BetweenRecords> betweenRecords) {
      return new Customizers(betweenRecords);
    }
  }

  /** The application's customizer comes after, so that what it sets stands. */
  private record Customizers(ObjectProvider<BetweenRecords> betweenRecords)
      implements BeanPostProcessor {
    @Override
    @SuppressWarnings("unchecked")
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (!(bean instanceof ListenerContainerCustomizer<?> customizer)) {
        return bean;
      }
      var own = (ListenerContainerCustomizer<Object>) customizer;
      return (ListenerContainerCustomizer<Object>)
          (container, destination, group) -> {
            betweenRecords.getObject().setIn(container);
            own.configure(container, destination, group);
          };
    }
  }
}
