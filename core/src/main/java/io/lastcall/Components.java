package io.lastcall;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Step;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Finds the steps of annotated components. */
final class Components {
  private Components() {}

  /**
   * Returns the steps of a component: its class's members first, then those of superclasses and
   * interfaces, each overridden method once.
   *
   * @throws IllegalArgumentException for a member that cannot be a step
   */
  static List<Step> steps(Object component) {
    Objects.requireNonNull(component, "component must not be null");
    List<Step> steps = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (Class<?> type : hierarchy(component.getClass())) {
      for (Field field : type.getDeclaredFields()) {
        OnShutdown annotation = field.getAnnotation(OnShutdown.class);
        if (annotation != null) {
          steps.add(new AnnotatedMember(component, field, annotation).step());
        }
      }
      for (Method method : type.getDeclaredMethods()) {
        OnShutdown annotation = method.getAnnotation(OnShutdown.class);
        if (annotation != null && !method.isBridge() && seen.add(signature(method))) {
          steps.add(new AnnotatedMember(component, method, annotation).step());
        }
      }
    }
    return steps;
  }

  /** Subclasses first, so that an override's own annotation is the one that counts. */
  private static Set<Class<?>> hierarchy(Class<?> type) {
    Set<Class<?>> types = new LinkedHashSet<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      types.add(at);
    }
    for (Class<?> at : List.copyOf(types)) {
      addInterfaces(at, types);
    }
    return types;
  }

  private static void addInterfaces(Class<?> type, Set<Class<?>> types) {
    for (Class<?> each : type.getInterfaces()) {
      types.add(each);
      addInterfaces(each, types);
    }
  }

  /** Private methods and static ones are not overridden: their class is part of the name. */
  private static String signature(Method method) {
    boolean own = (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) != 0;
    return (own ? method.getDeclaringClass().getName() : "")
        + method.getName()
        + Arrays.toString(method.getParameterTypes());
  }
}
