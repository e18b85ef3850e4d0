package io.lastcall.spring;

import io.lastcall.annotation.OnShutdown;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** The members of a bean's class that have {@code @OnShutdown}. */
final class StepMembers {
  private StepMembers() {}

  /** Returns its methods, inherited ones too. */
  static Set<Method> methods(Class<?> type) {
    return MethodIntrospector.selectMethods(
        type,
        (ReflectionUtils.MethodFilter)
            method -> AnnotatedElementUtils.hasAnnotation(method, OnShutdown.class));
  }

  /** Returns whether it has any, field or method. */
  static boolean any(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    ReflectionUtils.doWithFields(
        type, fields::add, field -> field.isAnnotationPresent(OnShutdown.class));
    return !fields.isEmpty() || !methods(type).isEmpty();
  }
}
