package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.pulsar.config.GenericListenerEndpointRegistry;
import org.springframework.pulsar.listener.MessageListenerContainer;

/**
 * Pulsar listeners. A container's stop waits for its batch without a limit, and then closes its
 * consumer. A registry, and a container with several consumers, stop one after the other, while the
 * others take on: so each is stopped by itself.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(GenericListenerEndpointRegistry.class)
final class PulsarTaker {
  @Bean
  static TakerBeans lastcallPulsarListeners(ObjectProvider<Takers> takers) {
    return new TakerBeans(takers, PulsarTaker::source);
  }

  private static @Nullable WorkSource source(Object bean) {
    if (bean instanceof GenericListenerEndpointRegistry<?, ?> registry) {
      return new JointSource(
          () -> registry.getListenerContainers().stream().flatMap(PulsarTaker::consumers).toList());
    }
    return bean instanceof MessageListenerContainer container
        ? new JointSource(() -> consumers(container).toList())
        : null;
  }

  private static Stream<WorkSource> consumers(MessageListenerContainer container) {
    return each(container).stream()
        .filter(MessageListenerContainer.class::isInstance)
        .map(MessageListenerContainer.class::cast)
        .map(one -> WorkSource.ofBlockingStop(one::stop));
  }

  /** By a property: to name the class of several, JDK 25 wants the Pulsar client's classes. */
  private static List<?> each(MessageListenerContainer container) {
    BeanWrapper bean = PropertyAccessorFactory.forBeanPropertyAccess(container);
    return bean.isReadableProperty("containers")
            && bean.getPropertyValue("containers") instanceof List<?> several
        ? several
        : List.of(container);
  }
}
