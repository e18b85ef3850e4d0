package io.lastcall.spring;

import io.lastcall.annotation.OnShutdown;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the members of a bean's class that core takes as steps, or as sources of work. */
final class OnShutdownMembers {
  private OnShutdownMembers() {}

  /** Returns the members with {@code @OnShutdown}, those of superclasses and interfaces too. */
  static Set<Member> of(Class<?> type) {
    Set<Member> members = new LinkedHashSet<>();
    ReflectionUtils.doWithFields(type, members::add, OnShutdownMembers::isAnnotated);
    Set<Class<?>> types = new LinkedHashSet<>(ClassUtils.getAllInterfacesForClassAsSet(type));
    types.add(type);
    for (Class<?> each : types) {
      ReflectionUtils.doWithMethods(each, members::add, OnShutdownMembers::isAnnotated);
    }
    return members;
  }

  private static boolean isAnnotated(AnnotatedElement member) {
    return member.isAnnotationPresent(OnShutdown.class);
  }
}
