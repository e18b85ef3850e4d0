package io.lastcall.spring.taker;

import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.WorkSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.stream.binder.Binding;
import org.springframework.cloud.stream.binding.BindingService;
import org.springframework.cloud.stream.binding.InputBindingLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Spring Cloud Stream. Its own stop takes one binding after the other, each of which takes on until
 * it is its turn, and waits 10 s at most for what it has taken. So the bindings stop together, and
 * the listener container of each, where its kind is known, as one that is a bean.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(InputBindingLifecycle.class)
final class CloudStreamTaker {
  @Bean
  static TakerBeans lastcallCloudStream(
      ObjectProvider<Takers> takers,
      ObjectProvider<BindingService> bindings,
      ObjectProvider<TakerBeans> kinds) {
    return new TakerBeans(
        takers,
        bean ->
            bean instanceof InputBindingLifecycle
                ? new JointSource(() -> sources(bindings, kinds.stream().toList()))
                : null);
  }

  private static List<WorkSource> sources(
      ObjectProvider<BindingService> bindings, List<TakerBeans> kinds) {
    return bindings.stream()
        .flatMap(CloudStreamTaker::inputs)
        .filter(Binding::isRunning)
        .map(binding -> source(binding, kinds))
        .toList();
  }

  private static Stream<Binding<?>> inputs(BindingService bindings) {
    return Arrays.stream(bindings.getConsumerBindingNames())
        .flatMap(name -> bindings.getConsumerBindings(name).stream());
  }

  private static WorkSource source(Binding<?> binding, List<TakerBeans> kinds) {
    Object endpoint =
        SpringInternals.BINDING_ENDPOINT.isIn(binding)
            ? SpringInternals.BINDING_ENDPOINT.of(binding)
            : null;
    return InnerContainers.of(endpoint, kinds)
        .orElseGet(() -> WorkSource.ofBlockingStop(binding::stop));
  }
}
