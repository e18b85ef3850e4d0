package io.lastcall.agent.server;

import io.lastcall.servlet.ShutdownFilter;
import java.lang.reflect.Method;

/**
 * Puts the filter in front of all others of an application. By reflection: the classes of Jetty's
 * servlets are in another package for each Servlet API.
 */
final class JettyFilters {
  private static final String NAME = "lastcall-agent";

  private JettyFilters() {}

  /** Called as an application's filters are about to be initialised, all of which are known. */
  static void prepend(Object handler, ShutdownFilter filter) throws ReflectiveOperationException {
    Class<?> type = handler.getClass();
    while (!type.getSimpleName().equals("ServletHandler")
        || !type.getName().startsWith("org.eclipse.jetty.")) {
      type = type.getSuperclass();
    }
    if (type.getMethod("getFilter", String.class).invoke(handler, NAME) != null) {
      return;
    }
    String packageName = type.getPackageName();
    Class<?> holderType = type.getClassLoader().loadClass(packageName + ".FilterHolder");
    Object holder = holderType.getConstructor().newInstance();
    set(holder, "setName", NAME);
    set(holder, "setFilter", filter);
    set(holder, "setAsyncSupported", true);
    Class<?> mappingType = type.getClassLoader().loadClass(packageName + ".FilterMapping");
    Object mapping = mappingType.getConstructor().newInstance();
    set(mapping, "setFilterName", NAME);
    set(mapping, "setPathSpec", "/*");
    // REQUEST and ASYNC, as FilterMapping has them in every version.
    int dispatches =
        mappingType.getField("REQUEST").getInt(null) | mappingType.getField("ASYNC").getInt(null);
    set(mapping, "setDispatches", dispatches);
    // Mappings have the order; Jetty 9.4 has no order of filters.
    add(handler, holder, "prependFilter", "addFilter");
    type.getMethod("prependFilterMapping", mappingType).invoke(handler, mapping);
  }

  private static void add(Object handler, Object holder, String... ways)
      throws ReflectiveOperationException {
    for (String way : ways) {
      try {
        handler.getClass().getMethod(way, holder.getClass()).invoke(handler, holder);
        return;
      } catch (NoSuchMethodException other) {
        // The next one.
      }
    }
    throw new NoSuchMethodException(handler.getClass().getName() + '.' + ways[0]);
  }

  private static void set(Object on, String setter, Object value)
      throws ReflectiveOperationException {
    for (Method method : on.getClass().getMethods()) {
      if (method.getName().equals(setter) && method.getParameterCount() == 1) {
        method.invoke(on, value);
        return;
      }
    }
    throw new NoSuchMethodException(on.getClass().getName() + '.' + setter);
  }
}
