package io.lastcall.spring;

import io.lastcall.work.WorkSource;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/**
 * Takes work that is no request into the shutdown: beans of type {@link WorkSource} and listeners
 * of Kafka, JMS and RabbitMQ stop taking at the trigger, as {@code @Scheduled} tasks do; what they
 * have taken, and the tasks of executors, finish in DRAIN. {@code lastcall.work.enabled=false}
 * switches it off.
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
  ScheduledRuns lastcallScheduledRuns(ProcessShutdown process, ListableBeanFactory beans) {
    return new ScheduledRuns(process, beans);
  }

  /** Consumers and pollers of the application's own. */
  @Bean
  static WorkSourceBeans lastcallWorkSources(ObjectProvider<ProcessShutdown> process) {
    return new WorkSourceBeans(process, bean -> bean instanceof WorkSource own ? own : null);
  }

  /** It finishes the records of its last poll, without a time limit of its own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(KafkaListenerEndpointRegistry.class)
  static final class WithKafka {
    @Bean
    static WorkSourceBeans lastcallKafkaListeners(ObjectProvider<ProcessShutdown> process) {
      return new WorkSourceBeans(process, WithKafka::source);
    }

    private static @Nullable WorkSource source(Object bean) {
      return bean instanceof KafkaListenerEndpointRegistry
              || bean instanceof org.springframework.kafka.listener.MessageListenerContainer
          ? new ListenerSource((SmartLifecycle) bean, on -> {})
          : null;
    }
  }

  /** By default it rolls back, or even loses, a message that it receives just as it stops. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(JmsListenerEndpointRegistry.class)
  static final class WithJms {
    @Bean
    static WorkSourceBeans lastcallJmsListeners(ObjectProvider<ProcessShutdown> process) {
      return new WorkSourceBeans(process, WithJms::source);
    }

    private static @Nullable WorkSource source(Object bean) {
      if (bean instanceof JmsListenerEndpointRegistry registry) {
        return new ListenerSource(
            registry, on -> registry.getListenerContainers().forEach(each -> acceptLast(each, on)));
      }
      return bean instanceof org.springframework.jms.listener.MessageListenerContainer container
          ? new ListenerSource(container, on -> acceptLast(container, on))
          : null;
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
    static WorkSourceBeans lastcallRabbitListeners(ObjectProvider<ProcessShutdown> process) {
      return new WorkSourceBeans(process, bean -> source(bean, process));
    }

    private static @Nullable WorkSource source(
        Object bean, ObjectProvider<ProcessShutdown> process) {
      if (bean instanceof RabbitListenerEndpointRegistry registry) {
        // Of a type that is not there in Spring Boot 3.5.
        Supplier<Collection<?>> containers = registry::getListenerContainers;
        return new ListenerSource(
            registry, on -> containers.get().forEach(each -> awaitLast(each, process)));
      }
      return bean instanceof AbstractMessageListenerContainer container
          ? new ListenerSource(container, on -> awaitLast(container, process))
          : null;
    }

    private static void awaitLast(Object container, ObjectProvider<ProcessShutdown> process) {
      if (container instanceof AbstractMessageListenerContainer rabbit) {
        rabbit.setShutdownTimeout(process.getObject().shutdown().plan().gracePeriod().toMillis());
      }
    }
  }
}
