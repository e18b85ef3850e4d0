package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.config.JmsListenerEndpointRegistry;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.MessageListenerContainer;

/**
 * JMS listeners. By default they roll back, or even lose, a message that they receive just as they
 * stop.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JmsListenerEndpointRegistry.class)
final class JmsTaker {
  @Bean
  static TakerBeans lastcallJmsListeners(ObjectProvider<Takers> takers) {
    return new TakerBeans(takers, JmsTaker::source);
  }

  private static @Nullable WorkSource source(Object bean) {
    if (bean instanceof JmsListenerEndpointRegistry registry) {
      return new JointSource(
          () -> registry.getListenerContainers().stream().map(JmsTaker::source).toList());
    }
    return bean instanceof MessageListenerContainer container ? source(container) : null;
  }

  private static WorkSource source(MessageListenerContainer container) {
    return new ListenerSource(container, on -> acceptLast(container, on));
  }

  private static void acceptLast(Object container, boolean on) {
    if (container instanceof AbstractMessageListenerContainer jms) {
      jms.setAcceptMessagesWhileStopping(on);
    }
  }
}
