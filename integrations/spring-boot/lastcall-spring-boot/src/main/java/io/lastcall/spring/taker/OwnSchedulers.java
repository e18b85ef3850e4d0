package io.lastcall.spring.taker;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Timer;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Schedulers of the JDK that nothing counts: a bean, or a field of a bean. Between two runs their
 * threads have no code of the application.
 */
final class OwnSchedulers {
  private OwnSchedulers() {}

  /** Returns whether a bean is one, or has one. */
  static boolean isOrHas(Object bean, OwnThreads application) {
    Object own = Objects.requireNonNullElse(AopProxyUtils.getSingletonTarget(bean), bean);
    return isOne(own)
        || (application.isOfApplication(own.getClass().getName())
            && fields(own.getClass()).stream().anyMatch(field -> isOne(value(field, own))));
  }

  private static boolean isOne(@Nullable Object value) {
    return value instanceof Timer
        || (value instanceof ScheduledExecutorService
            && !value.getClass().getName().startsWith(BeanKinds.LASTCALL));
  }

  private static List<Field> fields(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    ReflectionUtils.doWithFields(
        type,
        fields::add,
        field ->
            Timer.class.isAssignableFrom(field.getType())
                || ScheduledExecutorService.class.isAssignableFrom(field.getType()));
    return fields;
  }

  private static @Nullable Object value(Field field, Object bean) {
    return field.trySetAccessible() ? ReflectionUtils.getField(field, bean) : null;
  }
}
