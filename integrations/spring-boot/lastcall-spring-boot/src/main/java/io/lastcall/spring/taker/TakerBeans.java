package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Registers beans of one kind of taker, under their names. */
final class TakerBeans implements BeanPostProcessor {
  private final ObjectProvider<Takers> takers;
  private final Function<Object, @Nullable WorkSource> sources;

  /**
   * @param sources returns a bean's source of work; null where it is none
   */
  TakerBeans(ObjectProvider<Takers> takers, Function<Object, @Nullable WorkSource> sources) {
    this.takers = takers;
    this.sources = sources;
  }

  /** Returns the source of something that may be no bean, such as a container within one. */
  @Nullable WorkSource source(Object taker) {
    return sources.apply(taker);
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    WorkSource source = sources.apply(bean);
    if (source != null) {
      takers.getObject().stopFirst(name, bean, source);
    }
    return bean;
  }
}
