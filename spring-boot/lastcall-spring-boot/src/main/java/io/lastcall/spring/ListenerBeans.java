package io.lastcall.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.SmartLifecycle;

/**
 * Makes beans that take messages sources of work: registries of annotated listeners, and containers
 * that are beans themselves.
 */
final class ListenerBeans implements BeanPostProcessor {
  private final ObjectProvider<ProcessShutdown> process;
  private final List<Kind<?>> kinds = new ArrayList<>();

  private record Kind<T extends SmartLifecycle>(Class<T> type, BiConsumer<T, Boolean> finishing) {
    ListenerSource source(SmartLifecycle bean) {
      T listeners = type.cast(bean);
      return new ListenerSource(listeners, on -> finishing.accept(listeners, on));
    }
  }

  ListenerBeans(ObjectProvider<ProcessShutdown> process) {
    this.process = process;
  }

  /** Adds a type of them; {@link ListenerSource} says what {@code finishing} is given. */
  <T extends SmartLifecycle> ListenerBeans with(Class<T> type, BiConsumer<T, Boolean> finishing) {
    kinds.add(new Kind<>(type, finishing));
    return this;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof SmartLifecycle listeners) {
      kinds.stream()
          .filter(kind -> kind.type().isInstance(bean))
          .findFirst()
          .ifPresent(kind -> process.getObject().workSource(name, kind.source(listeners)));
    }
    return bean;
  }
}
