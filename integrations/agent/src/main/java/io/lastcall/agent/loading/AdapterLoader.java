package io.lastcall.agent.loading;

import io.lastcall.agent.CoreLoader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Defines the adapters once more, as a child of the loader that has a server's classes: they see
 * these, and Lastcall's core as everything of the agent sees it. Thread-safe.
 */
final class AdapterLoader extends ClassLoader {
  /** Paths, and so with slashes. */
  private static final List<String> ADAPTERS =
      List.of(
          "io/lastcall/servlet/",
          "io/lastcall/netty/",
          "io/lastcall/grpc/",
          "io/lastcall/agent/server/");

  static {
    registerAsParallelCapable();
  }

  private final CoreLoader core;
  private final @Nullable OlderApis older;

  AdapterLoader(ClassLoader servers, CoreLoader core) {
    super("lastcall-adapters", servers);
    this.core = core;
    this.older = OlderApis.in(servers);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (isAdapter(name.replace('.', '/'))) {
      synchronized (getClassLoadingLock(name)) {
        Class<?> known = findLoadedClass(name);
        return known == null ? findClass(name) : known;
      }
    }
    return name.startsWith("io.lastcall.") || name.startsWith("org.slf4j.")
        ? core.loadClass(name)
        : super.loadClass(name, resolve);
  }

  /** Whether a class is an adapter's, by its path. */
  static boolean isAdapter(String path) {
    for (String each : ADAPTERS) {
      if (path.startsWith(each)) {
        return true;
      }
    }
    return false;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = adapter(name.replace('.', '/'));
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length, CoreLoader.class.getProtectionDomain());
  }

  /** Returns the bytes of an adapter's class, as they are defined here; null for any other. */
  byte @Nullable [] adapter(String path) {
    if (!isAdapter(path)) {
      return null;
    }
    byte[] bytes = core.bytes(path + ".class");
    return bytes == null || older == null ? bytes : older.rewrite(bytes);
  }

  /** Returns the adapters' classes in a package. */
  List<String> classes(String packagePath) {
    return core.classes(packagePath);
  }
}
