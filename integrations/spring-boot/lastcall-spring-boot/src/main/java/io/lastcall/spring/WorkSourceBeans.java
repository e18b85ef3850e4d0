package io.lastcall.spring;

import io.lastcall.work.WorkSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Registers beans that take work by themselves, under their names. */
final class WorkSourceBeans implements BeanPostProcessor {
  private final ObjectProvider<ProcessShutdown> process;
  private final Function<Object, @Nullable WorkSource> sources;

  /**
   * @param sources returns a bean's source of work; null where it is none
   */
  WorkSourceBeans(
      ObjectProvider<ProcessShutdown> process, Function<Object, @Nullable WorkSource> sources) {
    this.process = process;
    this.sources = sources;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    WorkSource source = sources.apply(bean);
    if (source != null) {
      process.getObject().workSource(name, source);
    }
    return bean;
  }
}
