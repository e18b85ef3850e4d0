package io.lastcall.spring;

import io.lastcall.GracefulShutdown;
import java.util.Collection;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/**
 * Takes work that is no request into the shutdown: listeners of Kafka, JMS and RabbitMQ stop taking
 * at the trigger, as {@code @Scheduled} tasks do; what they have taken, and the tasks of executors,
 * finish in DRAIN. {@code lastcall.work.enabled=false} switches it off.
 */
@AutoConfiguration(after = LastcallAutoConfiguration.class)
@ConditionalOnBean(ProcessShutdown.class)
@ConditionalOnBooleanProperty(name = "lastcall.work.enabled", matchIfMissing = true)
public final class LastcallWorkAutoConfiguration {

  /** For Spring. */
  LastcallWorkAutoConfiguration() {}

  @Bean
  static ExecutorBeans lastcallExecutorBeans(
      ObjectProvider<ProcessShutdown> process, ConfigurableApplicationContext context) {
    return new ExecutorBeans(process, context);
  }

  @Bean
  ScheduledRuns lastcallScheduledRuns(GracefulShutdown shutdown) {
    return new ScheduledRuns(shutdown);
  }

  /** It finishes the records of its last poll, without a time limit of its own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(KafkaListenerEndpointRegistry.class)
  static final class WithKafka {
    @Bean
    static ListenerBeans lastcallKafkaListeners(ObjectProvider<ProcessShutdown> process) {
      return new ListenerBeans(process)
          .with(KafkaListenerEndpointRegistry.class, (registry, on) -> {})
          .with(
              org.springframework.kafka.listener.MessageListenerContainer.class,
              (container, on) -> {});
    }
  }

  /** By default it rolls back, or even loses, a message that it receives just as it stops. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JmsListenerEndpointRegistry.class)
  static final class WithJms {
    @Bean
    static ListenerBeans lastcallJmsListeners(ObjectProvider<ProcessShutdown> process) {
      return new ListenerBeans(process)
          .with(
              JmsListenerEndpointRegistry.class,
              (registry, on) ->
                  registry.getListenerContainers().forEach(each -> acceptLast(each, on)))
          .with(
              org.springframework.jms.listener.MessageListenerContainer.class, WithJms::acceptLast);
    }

    private static void acceptLast(Object container, boolean on) {
      if (container
          instanceof org.springframework.jms.listener.AbstractMessageListenerContainer jms) {
        jms.setAcceptMessagesWhileStopping(on);
      }
    }
  }

  /** By default it calls back after 5 s, and closes the channel of a listener that still runs. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RabbitListenerEndpointRegistry.class)
  static final class WithRabbit {
    @Bean
    static ListenerBeans lastcallRabbitListeners(ObjectProvider<ProcessShutdown> process) {
      return new ListenerBeans(process)
          .with(
              RabbitListenerEndpointRegistry.class,
              (registry, on) -> {
                // Of a type that is not there in Spring Boot 3.5.
                Collection<?> containers = registry.getListenerContainers();
                containers.forEach(each -> awaitLast(each, process));
              })
          .with(AbstractMessageListenerContainer.class, (each, on) -> awaitLast(each, process));
    }

    private static void awaitLast(Object container, ObjectProvider<ProcessShutdown> process) {
      if (container instanceof AbstractMessageListenerContainer rabbit) {
        rabbit.setShutdownTimeout(process.getObject().shutdown().plan().gracePeriod().toMillis());
      }
    }
  }
}
