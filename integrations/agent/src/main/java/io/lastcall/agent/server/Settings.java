package io.lastcall.agent.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;

/** The settings of an object: what has a public getter and a public setter. */
final class Settings {
  private Settings() {}

  /** Sets on {@code to}, of the same kind, each setting of {@code from} but those left out. */
  static void copy(Object from, Object to, Set<String> leftOut) {
    for (Method setter : from.getClass().getMethods()) {
      String name = setter.getName();
      if (name.startsWith("set")
          && setter.getParameterCount() == 1
          && !Modifier.isStatic(setter.getModifiers())
          && !leftOut.contains(name)) {
        copy(from, to, setter);
      }
    }
  }

  private static void copy(Object from, Object to, Method setter) {
    try {
      Object value = getter(from, setter).invoke(from);
      setter.invoke(to, value);
    } catch (NoSuchMethodException none) {
      // It cannot be read, and was not set then.
    } catch (IllegalAccessException | InvocationTargetException failure) {
      throw new IllegalStateException(setter + " cannot be copied", failure);
    }
  }

  private static Method getter(Object from, Method setter) throws NoSuchMethodException {
    String property = setter.getName().substring("set".length());
    Class<?> type = setter.getParameterTypes()[0];
    for (String prefix : new String[] {"get", "is"}) {
      try {
        Method getter = from.getClass().getMethod(prefix + property);
        if (getter.getReturnType().equals(type)) {
          return getter;
        }
      } catch (NoSuchMethodException other) {
        // The next prefix.
      }
    }
    throw new NoSuchMethodException(property);
  }
}
