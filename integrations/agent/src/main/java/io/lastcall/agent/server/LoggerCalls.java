package io.lastcall.agent.server;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.BiFunction;

/** Asks for loggers from below the application's class loader: Log4j looks who asks. */
public final class LoggerCalls implements BiFunction<Method, String, Object> {
  /** Called by name. */
  public LoggerCalls() {}

  @Override
  public Object apply(Method getLogger, String name) {
    try {
      return getLogger.invoke(null, name);
    } catch (IllegalAccessException | InvocationTargetException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
