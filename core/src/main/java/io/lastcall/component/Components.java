package io.lastcall.component;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepContext;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Finds the steps of annotated components. */
public final class Components {
  private Components() {}

  /**
   * Returns the steps of a component: its class's members first, then those of superclasses and
   * interfaces, each overridden method once. What is called on a proxy goes through the proxy.
   *
   * @throws IllegalArgumentException for a member that cannot be a step, and for a class in place
   *     of its instance
   */
  public static List<Step> steps(Object component) {
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
        if (annotation != null && !hasAnnotatedAccessor(field)) {
          steps.add(new AnnotatedMember(component, field, annotation).step());
        }
      }
      for (Method method : type.getDeclaredMethods()) {
        OnShutdown annotation = method.getAnnotation(OnShutdown.class);
        if (annotation != null && !method.isBridge()) {
          Method called = implementation(component.getClass(), method);
          if (taken.stream().noneMatch(other -> overrides(other, called))) {
            taken.add(called);
            steps.add(new AnnotatedMember(component, called, annotation).step());
          }
        }
      }
    }
    return steps;
  }

  /** Subtypes first, so that an override's own annotation is the one that counts. */
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

  /** A record component's annotation is on its field and, by the compiler, on its accessor too. */
  private static boolean hasAnnotatedAccessor(Field field) {
    return field.getDeclaringClass().isRecord()
        && Arrays.stream(field.getDeclaringClass().getDeclaredMethods())
            .filter(method -> method.getName().equals(field.getName()))
            .filter(method -> method.getParameterCount() == 0)
            .anyMatch(method -> method.isAnnotationPresent(OnShutdown.class));
  }

  /**
   * Where a subclass binds a type parameter, {@code stop(T)} is implemented by {@code
   * stop(StepContext)} behind a bridge that the compiler made; the parameters of that one count. An
   * overload may stand beside it, {@code stop(String)}, say, which can be no step's.
   */
  private static Method implementation(Class<?> type, Method declared) {
    for (Class<?> at : hierarchy(type)) {
      Method[] methods = at.getDeclaredMethods();
      if (Arrays.stream(methods).anyMatch(bridge -> bridge.isBridge() && same(bridge, declared))) {
        return Arrays.stream(methods)
            .filter(method -> !method.isBridge() && narrows(method, declared))
            .max(Comparator.comparing(Components::takesContext))
            .orElse(declared);
      }
    }
    return declared;
  }

  private static boolean takesContext(Method method) {
    return Arrays.equals(method.getParameterTypes(), new Class<?>[] {StepContext.class});
  }

  private static boolean narrows(Method method, Method declared) {
    if (!method.getName().equals(declared.getName())
        || method.getParameterCount() != declared.getParameterCount()) {
      return false;
    }
    Class<?>[] wide = declared.getParameterTypes();
    Class<?>[] narrow = method.getParameterTypes();
    for (int i = 0; i < wide.length; i++) {
      if (!wide[i].isAssignableFrom(narrow[i])) {
        return false;
      }
    }
    return true;
  }

  /** Private methods are not overridden, package-private ones only within their package. */
  private static boolean overrides(Method method, Method base) {
    if (method.equals(base)) {
      return true;
    }
    int modifiers = base.getModifiers();
    boolean everywhere = (modifiers & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    Class<?> type = base.getDeclaringClass();
    return same(method, base)
        && !Modifier.isPrivate(modifiers)
        && !Modifier.isPrivate(method.getModifiers())
        && (everywhere || type.getPackage().equals(method.getDeclaringClass().getPackage()));
  }

  private static boolean same(Method a, Method b) {
    return a.getName().equals(b.getName())
        && Arrays.equals(a.getParameterTypes(), b.getParameterTypes());
  }
}
