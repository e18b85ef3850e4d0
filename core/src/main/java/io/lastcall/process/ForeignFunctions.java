package io.lastcall.process;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * Functions of the C library (JEP 454), for parameters and results of {@code int} and {@code long};
 * an address is a {@code long}. By reflection, since this is compiled for JDK 17.
 */
final class ForeignFunctions {
  /** The first JDK that has them. */
  static final int SINCE = 22;

  private static final String PACKAGE = "java.lang.foreign.";

  private final Class<?> linkerType = type("Linker");
  private final Object linker = linkerType.getMethod("nativeLinker").invoke(null);
  private final Object lookup = linkerType.getMethod("defaultLookup").invoke(linker);

  /**
   * @throws ReflectiveOperationException before JDK 22
   */
  ForeignFunctions() throws ReflectiveOperationException {}

  /**
   * Returns whether whoever started the JVM has allowed them: by {@code --enable-native-access}, or
   * in the manifest. Where not, the JVM would print a warning, and later ones would refuse.
   */
  static boolean areAllowed() {
    try {
      Object allowed =
          Module.class
              .getMethod("isNativeAccessEnabled")
              .invoke(ForeignFunctions.class.getModule());
      return Boolean.TRUE.equals(allowed);
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /**
   * Returns a function.
   *
   * @throws NoSuchElementException if there is none of that name
   */
  MethodHandle function(String name, MethodType type) throws ReflectiveOperationException {
    Class<?> layoutType = type("MemoryLayout");
    Object parameters = Array.newInstance(layoutType, type.parameterCount());
    for (int i = 0; i < type.parameterCount(); i++) {
      Array.set(parameters, i, layout(type.parameterType(i)));
    }
    Class<?> descriptorType = type("FunctionDescriptor");
    Object descriptor =
        descriptorType
            .getMethod("of", layoutType, parameters.getClass())
            .invoke(null, layout(type.returnType()), parameters);
    Object noOptions = Array.newInstance(type("Linker$Option"), 0);
    return (MethodHandle)
        linkerType
            .getMethod(
                "downcallHandle", type("MemorySegment"), descriptorType, noOptions.getClass())
            .invoke(linker, symbol(name), descriptor, noOptions);
  }

  private static Object layout(Class<?> type) throws ReflectiveOperationException {
    return type("ValueLayout").getField(type == int.class ? "JAVA_INT" : "JAVA_LONG").get(null);
  }

  private Object symbol(String name) throws ReflectiveOperationException {
    Optional<?> found = find(name, lookup);
    return found.isPresent() ? found.get() : find(name, realtimeLibrary()).orElseThrow();
  }

  private static Optional<?> find(String name, Object lookup) throws ReflectiveOperationException {
    return (Optional<?>) type("SymbolLookup").getMethod("find", String.class).invoke(lookup, name);
  }

  /** Before glibc 2.34 timers were not in the C library itself. */
  private static Object realtimeLibrary() throws ReflectiveOperationException {
    Class<?> arenaType = type("Arena");
    return type("SymbolLookup")
        .getMethod("libraryLookup", String.class, arenaType)
        .invoke(null, "librt.so.1", arenaType.getMethod("global").invoke(null));
  }

  /**
   * Returns a function's address.
   *
   * @throws NoSuchElementException if there is none of that name
   */
  long address(String name) throws ReflectiveOperationException {
    return address(symbol(name));
  }

  /**
   * Returns the address of a direct buffer's first byte, good for as long as that is referred to.
   */
  static long address(ByteBuffer direct) throws ReflectiveOperationException {
    Buffer whole = direct.duplicate().clear();
    return address(type("MemorySegment").getMethod("ofBuffer", Buffer.class).invoke(null, whole));
  }

  private static long address(Object segment) throws ReflectiveOperationException {
    return (long) type("MemorySegment").getMethod("address").invoke(segment);
  }

  private static Class<?> type(String name) throws ClassNotFoundException {
    return Class.forName(PACKAGE + name);
  }
}
