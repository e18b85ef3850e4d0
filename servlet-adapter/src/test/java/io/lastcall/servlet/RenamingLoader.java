package io.lastcall.servlet;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Loads the adapter and its container once more, with one name of the container's changed: a member
 * or a class that a newer release has moved.
 */
public final class RenamingLoader extends ClassLoader {
  private static final String ADAPTER = "io.lastcall.servlet.";

  private final String container;
  private final String name;
  private final String other;

  /**
   * @param container what the names of the container's classes begin with
   * @param name of a member, or the full name of a class
   */
  public RenamingLoader(String container, String name) {
    super(RenamingLoader.class.getClassLoader());
    this.container = container;
    this.name = name;
    this.other = name.substring(0, name.length() - 1) + '_';
  }

  /** Asks the class that knows the container's members, loaded by this, what is missing. */
  public String problem(Class<?> internals) throws ReflectiveOperationException {
    Method problem = loadClass(internals.getName()).getDeclaredMethod("problem");
    problem.setAccessible(true);
    return ((Optional<?>) problem.invoke(null)).map(Object::toString).orElse("");
  }

  @Override
  protected Class<?> loadClass(String type, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(type)) {
      Class<?> known = findLoadedClass(type);
      if (known != null) {
        return known;
      }
      return type.startsWith(ADAPTER) || type.startsWith(container)
          ? define(type)
          : super.loadClass(type, resolve);
    }
  }

  private Class<?> define(String type) throws ClassNotFoundException {
    if (type.equals(name) || type.startsWith(name + '$')) {
      throw new ClassNotFoundException(type);
    }
    String resource = type.replace(other, name).replace('.', '/') + ".class";
    try (InputStream in = getParent().getResourceAsStream(resource)) {
      if (in == null) {
        throw new ClassNotFoundException(type);
      }
      byte[] bytes = in.readAllBytes();
      if (type.startsWith(container)) {
        rename(bytes);
      }
      return defineClass(type, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(type, e);
    }
  }

  /** As long as before, so that nothing else in the class file changes. */
  private void rename(byte[] bytes) {
    boolean isClass = name.indexOf('.') > 0;
    byte[] from = isClass ? ascii(name.replace('.', '/')) : constant(name);
    byte[] to = isClass ? ascii(other.replace('.', '/')) : constant(other);
    for (int at = 0; at + from.length <= bytes.length; at++) {
      if (Arrays.equals(bytes, at, at + from.length, from, 0, from.length)) {
        System.arraycopy(to, 0, bytes, at, to.length);
      }
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** CONSTANT_Utf8 of a class file's constant pool (JVMS 4.4.7). */
  private static byte[] constant(String text) {
    byte[] ascii = ascii(text);
    return ByteBuffer.allocate(3 + ascii.length)
        .put((byte) 1)
        .putShort((short) ascii.length)
        .put(ascii)
        .array();
  }
}
