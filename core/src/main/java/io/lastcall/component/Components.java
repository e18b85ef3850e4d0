package io.lastcall.component;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.annotation.ShutdownSettings;
import io.lastcall.phase.Step;
import io.lastcall.process.ShutdownLog;
import io.lastcall.work.WorkSource;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the steps of annotated components. */
public final class Components {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  private Components() {}

  /** As {@link #steps(Object, UnaryOperator)}, without placeholders. */
  public static List<Step> steps(Object component) {
    return steps(component, UnaryOperator.identity());
  }

  /**
   * Returns the steps of a component: its class's members first, then those of superclasses and
   * interfaces, each overridden method once. Methods of a proxy are called through it.
   *
   * @param placeholders resolves those in a timeout
   * @throws IllegalArgumentException for a member that cannot be a step, and for a class in place
   *     of its instance
   */
  public static List<Step> steps(Object component, UnaryOperator<String> placeholders) {
    Objects.requireNonNull(component, "component must not be null");
    if (component instanceof Class<?> type) {
      throw new IllegalArgumentException(
          "component=" + type + " has no members to call; allowed: an instance of it");
    }
    List<Step> steps = new ArrayList<>();
    List<Method> taken = new ArrayList<>();
    for (Class<?> type : hierarchy(component.getClass())) {
      for (Field field : type.getDeclaredFields()) {
        OnShutdown annotation = field.getAnnotation(OnShutdown.class);
        if (annotation != null
            && !AnnotatedMember.isSource(field, annotation)
            && !hasAnnotatedAccessor(field)) {
          steps.add(new AnnotatedMember(component, field, annotation).step(placeholders));
        }
      }
      for (Method method : type.getDeclaredMethods()) {
        OnShutdown annotation = method.getAnnotation(OnShutdown.class);
        if (annotation != null
            && !method.isBridge()
            && !isAccessorOfSource(method, annotation)
            && taken.stream().noneMatch(other -> overrides(other, method))) {
          taken.add(method);
          steps.add(new AnnotatedMember(component, method, annotation).step(placeholders));
        }
      }
    }
    return steps;
  }

  /**
   * Returns the sources of work of a component, by their names: itself, and its fields that have
   * {@code @OnShutdown}.
   *
   * @throws IllegalArgumentException for a field that cannot be a source
   */
  public static Map<String, WorkSource> sources(Object component) {
    Map<String, WorkSource> sources = new LinkedHashMap<>();
    if (component instanceof WorkSource own) {
      sources.put(name(component.getClass()), own);
    }
    for (Class<?> type : hierarchy(component.getClass())) {
      for (Field field : type.getDeclaredFields()) {
        OnShutdown annotation = field.getAnnotation(OnShutdown.class);
        if (annotation != null && AnnotatedMember.isSource(field, annotation)) {
          AnnotatedMember member = new AnnotatedMember(component, field, annotation);
          sources.put(member.name(), member.source(field));
        }
      }
    }
    return sources;
  }

  /** Returns the simple name of a class; a generated subclass is named by its superclass. */
  public static String name(Class<?> type) {
    String name = type.getSimpleName().isEmpty() ? type.getName() : type.getSimpleName();
    int generated = name.indexOf("$$");
    return generated > 0 ? name.substring(0, generated) : name;
  }

  /**
   * Warns of a component without steps and sources of work, unless it has settings.
   *
   * @throws IllegalArgumentException for a collection in place of its elements
   */
  public static void reportNoSteps(Object component) {
    Class<?> type = component.getClass();
    if (component instanceof Collection<?>) {
      throw new IllegalArgumentException(
          "components(%s) has no steps of its own; allowed: its elements, as in components(a, b)"
              .formatted(type.getName()));
    }
    if (!type.isAnnotationPresent(ShutdownSettings.class)) {
      log.warn(
          "component {} has no member with @OnShutdown: nothing will be called", type.getName());
    }
  }

  /** Subtypes first, so that an override's own annotation counts. */
  private static List<Class<?>> hierarchy(Class<?> type) {
    List<Class<?>> types = new ArrayList<>();
    List<Class<?>> interfaces = new ArrayList<>();
    for (Class<?> at = type; at != null && at != Object.class; at = at.getSuperclass()) {
      types.add(at);
      addInterfaces(at, interfaces);
    }
    types.addAll(interfaces);
    return types;
  }

  private static void addInterfaces(Class<?> type, List<Class<?>> interfaces) {
    for (Class<?> each : type.getInterfaces()) {
      if (!interfaces.contains(each)) {
        int place = 0;
        while (place < interfaces.size() && !interfaces.get(place).isAssignableFrom(each)) {
          place++;
        }
        interfaces.add(place, each);
        addInterfaces(each, interfaces);
      }
    }
  }

  /** The compiler copies a record component's annotation to its field and to its accessor. */
  private static boolean hasAnnotatedAccessor(Field field) {
    return field.getDeclaringClass().isRecord()
        && Arrays.stream(field.getDeclaringClass().getDeclaredMethods())
            .filter(method -> method.getName().equals(field.getName()))
            .filter(method -> method.getParameterCount() == 0)
            .anyMatch(method -> method.isAnnotationPresent(OnShutdown.class));
  }

  /** Of a record's component that is a source: its field is taken. */
  private static boolean isAccessorOfSource(Method method, OnShutdown annotation) {
    return method.getDeclaringClass().isRecord()
        && method.getParameterCount() == 0
        && AnnotatedMember.isSource(method.getReturnType(), annotation);
  }

  private static boolean overrides(Method method, Method base) {
    return method.getName().equals(base.getName())
        && Arrays.equals(method.getParameterTypes(), base.getParameterTypes())
        && !Modifier.isPrivate(base.getModifiers())
        && !Modifier.isPrivate(method.getModifiers());
  }
}
