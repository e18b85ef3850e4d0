package io.lastcall.process;

import io.lastcall.process.Jvm.Binding;
import io.lastcall.process.Jvm.Status;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code sun.misc.Signal}, of module {@code jdk.unsupported}, by reflection: javac's warning of a
 * direct use cannot be suppressed.
 */
final class SunSignals {
  private static final Logger log = LoggerFactory.getLogger(ShutdownLog.NAME);

  /** Under -Xrs the JVM refuses these; otherwise it shares them. */
  private static final Set<String> SHUTDOWN_SIGNALS = Set.of("HUP", "INT", "TERM");

  /** HotSpot uses it, and shares it: Flight Recorder's first sample would begin a shutdown. */
  private static final String SUSPENDS_THREADS = "USR2";

  private final Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
  private final Object signal;
  private final Method handle;

  private SunSignals(String name) throws ReflectiveOperationException {
    Class<?> type = Class.forName("sun.misc.Signal");
    signal = type.getConstructor(String.class).newInstance(name);
    handle = type.getMethod("handle", type, handlerType);
  }

  static Binding bind(String signal, Runnable handler) {
    if (signal.equals(SUSPENDS_THREADS)) {
      return Binding.refused(
          Status.UNUSABLE, "the JVM suspends threads by it, for Flight Recorder say");
    }
    try {
      return new SunSignals(signal).bind(handler);
    } catch (InvocationTargetException e) {
      String why = String.valueOf(e.getTargetException().getMessage());
      boolean reduced = SHUTDOWN_SIGNALS.contains(signal) && why.contains("already used");
      return Binding.refused(reduced ? Status.REDUCED : Status.UNUSABLE, why);
    } catch (ReflectiveOperationException e) {
      return Binding.refused(
          Status.UNUSABLE, "module jdk.unsupported is missing, add it by --add-modules: " + e);
    }
  }

  /** Does nothing where no handler has it, as under -Xrs. */
  static void raise(String signal) {
    try {
      Object raised = new SunSignals(signal).signal;
      raised.getClass().getMethod("raise", raised.getClass()).invoke(null, raised);
    } catch (ReflectiveOperationException e) {
      ShutdownLog.debug(log, "SIG" + signal + " cannot be raised", e);
    }
  }

  private Binding bind(Runnable handler) throws ReflectiveOperationException {
    Object ours = proxy(handler);
    Object before = handle.invoke(null, signal, ours);
    if (before == handlerType.getField("SIG_IGN").get(null)) {
      handle.invoke(null, signal, before);
      return Binding.refused(Status.IGNORED, "the process was started with it ignored");
    }
    // The JVM's own handlers come wrapped in a class of sun.misc.
    if (before != null && !before.getClass().getName().startsWith("sun.misc.")) {
      handle.invoke(null, signal, before);
      return Binding.refused(Status.TAKEN, "taken by " + nameOf(before));
    }
    return new Binding(Status.BOUND, "", () -> restore(ours, before));
  }

  /** A handler of this library in another class loader is a proxy, too. */
  private static String nameOf(Object handler) {
    return (Proxy.isProxyClass(handler.getClass()) ? Proxy.getInvocationHandler(handler) : handler)
        .getClass()
        .getName();
  }

  /** Restores the former handler, unless another one has replaced ours. */
  private void restore(Object ours, Object before) {
    try {
      Object last = handle.invoke(null, signal, before);
      if (last != ours) {
        handle.invoke(null, signal, last);
      }
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Could not give back " + signal, e);
    }
  }

  private Object proxy(Runnable handler) {
    return Proxy.newProxyInstance(
        SunSignals.class.getClassLoader(),
        new Class<?>[] {handlerType},
        (self, method, arguments) ->
            switch (method.getName()) {
              case "handle" -> {
                handler.run();
                yield null;
              }
              case "equals" -> self == Objects.requireNonNull(arguments)[0];
              case "hashCode" -> System.identityHashCode(self);
              default -> "Lastcall's handler";
            });
  }
}
