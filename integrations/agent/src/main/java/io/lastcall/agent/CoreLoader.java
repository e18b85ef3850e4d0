package io.lastcall.agent;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Defines the agent's classes and what they need, Lastcall's core and SLF4J among it, from the
 * agent's jar. The application's class loaders see none of them, and none of the application's are
 * seen here. Thread-safe.
 */
public final class CoreLoader extends ClassLoader {
  /** In the jar: what the agent needs of others. */
  private static final String FOLDER = "META-INF/lastcall/";

  private static final String CLASS = ".class";

  static {
    registerAsParallelCapable();
  }

  private final JarFile jar;

  /** Of all classes in the jar, as the JVM knows them, with slashes. */
  private final List<String> names;

  /**
   * @param jar the agent's, which stays open
   */
  public CoreLoader(Path jar) throws IOException {
    super("lastcall-agent", getPlatformClassLoader());
    // Unsigned, and so nothing to verify.
    this.jar = new JarFile(jar.toFile(), false);
    this.names = names(this.jar);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (name.equals(CoreLoader.class.getName())) {
      return CoreLoader.class;
    }
    if (!isOwn(name)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      return known == null ? findClass(name) : known;
    }
  }

  private static boolean isOwn(String name) {
    return name.startsWith("io.lastcall.")
        || name.startsWith("org.slf4j.")
        || name.startsWith("org.objectweb.asm.");
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    byte[] bytes = bytes(name.replace('.', '/') + CLASS);
    if (bytes == null) {
      throw new ClassNotFoundException(name);
    }
    return defineClass(name, bytes, 0, bytes.length, CoreLoader.class.getProtectionDomain());
  }

  /** Returns a file of the jar, by the name that a class loader has for it; null if it has none. */
  public byte @Nullable [] bytes(String name) {
    try {
      JarEntry entry = jar.getJarEntry(FOLDER + name);
      entry =
          entry == null && name.startsWith("io/lastcall/agent/") ? jar.getJarEntry(name) : entry;
      if (entry == null) {
        return null;
      }
      try (InputStream in = jar.getInputStream(entry)) {
        return in.readAllBytes();
      }
    } catch (IOException | IllegalStateException gone) {
      return null;
    }
  }

  /** Returns the names of the classes in a package, with slashes; those below it are not in it. */
  public List<String> classes(String packagePath) {
    String start = packagePath + '/';
    List<String> classes = new ArrayList<>();
    for (String name : names) {
      if (name.startsWith(start) && name.indexOf('/', start.length()) < 0) {
        classes.add(name);
      }
    }
    return classes;
  }

  private static List<String> names(JarFile jar) {
    List<String> names = new ArrayList<>();
    for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
      String name = entries.nextElement().getName();
      if (name.endsWith(CLASS) && !name.endsWith("/package-info.class")) {
        int start = name.startsWith(FOLDER) ? FOLDER.length() : 0;
        names.add(name.substring(start, name.length() - CLASS.length()));
      }
    }
    return names;
  }

  @Override
  public @Nullable URL getResource(String name) {
    URL own = findResource(name);
    return own == null ? super.getResource(name) : own;
  }

  @Override
  public @Nullable InputStream getResourceAsStream(String name) {
    byte[] own = bytes(name);
    return own == null ? super.getResourceAsStream(name) : new ByteArrayInputStream(own);
  }

  /** With a handler of its own: an application may have another one for {@code jar:}. */
  @Override
  protected @Nullable URL findResource(String name) {
    byte[] bytes = bytes(name);
    try {
      return bytes == null ? null : new URL(null, "lastcall-agent:" + name, new Bytes(bytes));
    } catch (IOException impossible) {
      return null;
    }
  }

  @Override
  protected Enumeration<URL> findResources(String name) {
    URL own = findResource(name);
    return own == null ? Collections.emptyEnumeration() : Collections.enumeration(List.of(own));
  }

  private static final class Bytes extends URLStreamHandler {
    private final byte[] bytes;

    Bytes(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    protected URLConnection openConnection(URL url) {
      return new URLConnection(url) {
        @Override
        public void connect() {
          // It is all there.
        }

        @Override
        public InputStream getInputStream() {
          return new ByteArrayInputStream(bytes);
        }
      };
    }
  }
}
