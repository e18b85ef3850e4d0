package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.kafka.config.AbstractKafkaListenerContainerFactory;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;
import org.springframework.kafka.core.ConsumerFactory;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.MessageListenerContainer;

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
    return new TakerBeans(takers, KafkaTaker::source);
  }

  private static @Nullable WorkSource source(Object bean) {
    return bean instanceof KafkaListenerEndpointRegistry || bean instanceof MessageListenerContainer
        ? new ListenerSource((SmartLifecycle) bean, on -> {})
        : null;
  }

  @Bean
  static BeanPostProcessor lastcallKafkaBetweenRecords(Environment environment) {
    return new BetweenRecords(environment.containsProperty(IMMEDIATE_STOP));
  }

  /** A container reads the switch as it starts, so it is set before. */
  private record BetweenRecords(boolean isSet) implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
      if (!isSet
          && bean instanceof AbstractKafkaListenerContainerFactory<?, ?, ?> factory
          && factory.getConsumerFactory() != null
          && !commitsPolls(factory.getConsumerFactory(), factory.getContainerProperties())) {
        factory.getContainerProperties().setStopImmediate(true);
      }
      return bean;
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
}
