package io.lastcall.process;

import io.lastcall.process.SignalBinding.Status;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;
import java.util.Set;

/**
 * {@code sun.misc.Signal}, reached reflectively: javac warns about every direct use and cannot be
 * told not to. The module {@code jdk.unsupported} has it on 17 to 25; where it is missing no signal
 * can be bound.
 */
final class SunSignals {
  /** The JVM gives these up under -Xrs, and only then refuses to share them. */
  private static final Set<String> SHUTDOWN_SIGNALS = Set.of("HUP", "INT", "TERM");

  /**
   * HotSpot sends it to its own threads, and lets others have it all the same: Flight Recorder
   * would begin a shutdown with its first sample.
   */
  private static final String SUSPENDS_THREADS = "USR2";

  private SunSignals() {}

  static SignalBinding bind(String signal, Runnable handler) {
    if (signal.equals(SUSPENDS_THREADS)) {
      return SignalBinding.not(
          Status.UNUSABLE, "the JVM suspends threads by it, for Flight Recorder say");
    }
    try {
      return new Binder(signal).bind(handler);
    } catch (InvocationTargetException e) {
      String why = String.valueOf(e.getTargetException().getMessage());
      boolean reduced = SHUTDOWN_SIGNALS.contains(signal) && why.contains("already used");
      return SignalBinding.not(reduced ? Status.REDUCED : Status.UNUSABLE, why);
    } catch (ReflectiveOperationException e) {
      return SignalBinding.not(
          Status.UNUSABLE, "module jdk.unsupported is missing, add it by --add-modules: " + e);
    }
  }

  /** The reflective members for one signal. */
  private static final class Binder {
    private final Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    private final Object signal;
    private final Method handle;

    Binder(String name) throws ReflectiveOperationException {
      Class<?> type = Class.forName("sun.misc.Signal");
      Constructor<?> constructor = type.getConstructor(String.class);
      signal = constructor.newInstance(name);
      handle = type.getMethod("handle", type, handlerType);
    }

    SignalBinding bind(Runnable handler) throws ReflectiveOperationException {
      Object ours = proxy(handler);
      Object before = handle.invoke(null, signal, ours);
      if (before == handlerType.getField("SIG_IGN").get(null)) {
        handle.invoke(null, signal, before);
        return SignalBinding.not(Status.IGNORED, "the process was started with it ignored");
      }
      // The JVM's own handlers come wrapped in a class of sun.misc.Signal; any other is a stranger.
      if (before != null && !before.getClass().getName().startsWith("sun.misc.")) {
        handle.invoke(null, signal, before);
        return SignalBinding.not(Status.TAKEN, "taken by " + nameOf(before));
      }
      return SignalBinding.bound(() -> restore(ours, before));
    }

    /** A handler of Lastcall's in another class loader is a proxy, too. */
    private static String nameOf(Object handler) {
      Object known =
          Proxy.isProxyClass(handler.getClass()) ? Proxy.getInvocationHandler(handler) : handler;
      return known.getClass().getName();
    }

    /** Puts the former handler back, unless somebody has put theirs over ours since. */
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
}
