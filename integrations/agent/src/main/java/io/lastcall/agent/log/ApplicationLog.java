package io.lastcall.agent.log;

import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The SLF4J that the application has, 1.7 or later: other classes of the same names as the agent's
 * own, and so called by reflection.
 */
final class ApplicationLog {
  /** What it has without a logging framework behind it. */
  private static final String NONE = "NOPLoggerFactory";

  private static final String CALLER = "io.lastcall.agent.server.LoggerCalls";

  private final Method getLogger;
  private final BiFunction<Method, String, Object> calls;
  private final Class<?> type;
  private final Map<String, Object> loggers = new ConcurrentHashMap<>();

  private ApplicationLog(
      Method getLogger, BiFunction<Method, String, Object> calls, Class<?> type) {
    this.getLogger = getLogger;
    this.calls = calls;
    this.type = type;
  }

  /** See {@link AgentLog#useThatOf}. */
  @SuppressWarnings("unchecked")
  static @Nullable ApplicationLog in(ClassLoader loader, ClassLoader below) {
    try {
      Class<?> factory = Class.forName("org.slf4j.LoggerFactory", true, loader);
      Object implementation = factory.getMethod("getILoggerFactory").invoke(null);
      if (implementation.getClass().getSimpleName().equals(NONE)) {
        return null;
      }
      return new ApplicationLog(
          factory.getMethod("getLogger", String.class),
          (BiFunction<Method, String, Object>)
              below.loadClass(CALLER).getConstructor().newInstance(),
          Class.forName("org.slf4j.Logger", false, loader));
    } catch (ReflectiveOperationException | LinkageError | RuntimeException none) {
      return null;
    }
  }

  boolean isEnabled(String logger, Level level) {
    try {
      String name = level.name().toLowerCase(Locale.ROOT);
      String method = "is" + level.name().charAt(0) + name.substring(1) + "Enabled";
      return (boolean) type.getMethod(method).invoke(logger(logger));
    } catch (ReflectiveOperationException | LinkageError | RuntimeException broken) {
      return level.toInt() >= Level.INFO.toInt();
    }
  }

  /** Returns whether it could be. */
  boolean write(String logger, Level level, String line, @Nullable Throwable failure) {
    try {
      type.getMethod(level.name().toLowerCase(Locale.ROOT), String.class, Throwable.class)
          .invoke(logger(logger), line, failure);
      return true;
    } catch (ReflectiveOperationException | LinkageError | RuntimeException broken) {
      return false;
    }
  }

  private Object logger(String name) {
    Object known = loggers.get(name);
    if (known == null) {
      known = calls.apply(getLogger, name);
      loggers.put(name, known);
    }
    return known;
  }
}
