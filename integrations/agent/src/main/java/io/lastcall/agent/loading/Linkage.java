package io.lastcall.agent.loading;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Checks, before an adapter is used, that each class and member of a server that the adapter names
 * is there: a missing one would be an error in the middle of a request. Reads class files; loads no
 * class. Not thread-safe.
 */
final class Linkage {
  private static final int ASM = Opcodes.ASM9;

  /** Adapters look for these themselves. */
  private static final List<String> OPTIONAL =
      List.of(
          "io/netty/handler/codec/http2/",
          "org/eclipse/jetty/http2/",
          "jakarta/websocket/",
          "javax/websocket/");

  private static final List<String> OURS = List.of("io/lastcall/", "org/slf4j/");

  private final AdapterLoader adapters;

  /** By name; a class that is missing has no value. */
  private final Map<String, Optional<Shape>> shapes = new HashMap<>();

  /** The uses that were found to be there. */
  private final Set<String> present = new HashSet<>();

  /**
   * @param adapters whose parent has the server
   */
  Linkage(AdapterLoader adapters) {
    this.adapters = adapters;
  }

  /** What a class has. */
  private record Shape(
      @Nullable String above,
      List<String> interfaces,
      Set<String> members,
      Set<String> unimplemented) {}

  /**
   * Returns what the server lacks of that which the adapters' classes use, if it lacks something.
   */
  Optional<String> problem(Collection<String> classes) {
    for (String name : classes) {
      Optional<String> problem = problem(name);
      if (problem.isPresent()) {
        return problem;
      }
    }
    return Optional.empty();
  }

  private Optional<String> problem(String name) {
    byte[] bytes = adapters.adapter(name);
    if (bytes == null) {
      return Optional.of("has an agent without " + name);
    }
    ClassReader reader = new ClassReader(bytes);
    Optional<String> missing =
        missing(Uses.named(reader)).isEmpty() ? Optional.empty() : missing(Uses.inCode(reader));
    if (missing.isPresent()) {
      return missing;
    }
    boolean isComplete = (reader.getAccess() & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) == 0;
    return isComplete ? unimplemented(name) : Optional.empty();
  }

  /** What the server's types ask of a class of ours, and only another version of it has. */
  private Optional<String> unimplemented(String name) {
    Set<String> asked = new HashSet<>();
    Set<String> implemented = new HashSet<>();
    collect(name, asked, implemented);
    asked.removeAll(implemented);
    return asked.stream()
        .findFirst()
        .map(method -> "asks for %s.%s".formatted(name.replace('/', '.'), method));
  }

  private void collect(String type, Set<String> asked, Set<String> implemented) {
    Shape shape = shape(type).orElse(null);
    if (shape == null) {
      return;
    }
    asked.addAll(shape.unimplemented);
    shape.members.stream()
        .filter(member -> !shape.unimplemented.contains(member))
        .forEach(implemented::add);
    shape.interfaces.forEach(each -> collect(each, asked, implemented));
    if (shape.above != null) {
      collect(shape.above, asked, implemented);
    }
  }

  private Optional<String> missing(Collection<String> uses) {
    for (String use : uses) {
      Optional<String> missing = present.contains(use) ? Optional.empty() : missing(use);
      if (missing.isPresent()) {
        return missing;
      }
      present.add(use);
    }
    return Optional.empty();
  }

  private Optional<String> missing(String use) {
    int end = use.indexOf(Uses.MEMBER);
    String owner = use.substring(0, end);
    String member = use.substring(end + 1);
    if (isTheJdks(owner) || isCores(owner)) {
      return Optional.empty();
    }
    if (shape(owner).isEmpty()) {
      return startsWith(owner, OPTIONAL)
          ? Optional.empty()
          : Optional.of("has no " + owner.replace('/', '.'));
    }
    return member.isEmpty() || has(owner, member)
        ? Optional.empty()
        : Optional.of("has no %s.%s".formatted(owner.replace('/', '.'), member));
  }

  private boolean has(String type, String member) {
    Shape shape = shape(type).orElse(null);
    if (shape == null) {
      return isCores(type) || startsWith(type, OPTIONAL);
    }
    if (shape.members.contains(member)) {
      return true;
    }
    return (shape.above != null && has(shape.above, member))
        || shape.interfaces.stream().anyMatch(each -> has(each, member));
  }

  /** Not an adapter's: what that inherits of a server is a use of the server's. */
  private boolean isCores(String type) {
    return startsWith(type, OURS) && !AdapterLoader.isAdapter(type);
  }

  private static boolean isTheJdks(String type) {
    return type.startsWith("java/") || type.startsWith("[");
  }

  private static boolean startsWith(String type, List<String> with) {
    for (String each : with) {
      if (type.startsWith(each)) {
        return true;
      }
    }
    return false;
  }

  private Optional<Shape> shape(String type) {
    return shapes.computeIfAbsent(type, this::read);
  }

  private Optional<Shape> read(String type) {
    byte[] own = adapters.adapter(type);
    if (own != null) {
      return Optional.of(shape(own));
    }
    ClassLoader from =
        isTheJdks(type) ? ClassLoader.getPlatformClassLoader() : adapters.getParent();
    try (InputStream in = from.getResourceAsStream(type + ".class")) {
      if (in == null) {
        return Optional.empty();
      }
      return Optional.of(shape(in.readAllBytes()));
    } catch (IOException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  private static Shape shape(byte[] bytes) {
    Members members = new Members();
    new ClassReader(bytes).accept(members, ClassReader.SKIP_CODE);
    return new Shape(members.above, members.interfaces, members.found, members.unimplemented);
  }

  private static final class Members extends ClassVisitor {
    private final Set<String> found = new HashSet<>();
    private final Set<String> unimplemented = new HashSet<>();
    private @Nullable String above;
    private List<String> interfaces = List.of();

    Members() {
      super(ASM);
    }

    @Override
    public void visit(
        int version,
        int access,
        String name,
        String signature,
        @Nullable String superName,
        String[] direct) {
      above = superName;
      interfaces = List.of(direct);
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      found.add(name + descriptor);
      if ((access & Opcodes.ACC_ABSTRACT) != 0) {
        unimplemented.add(name + descriptor);
      }
      return null;
    }

    @Override
    public @Nullable FieldVisitor visitField(
        int access, String name, String descriptor, String signature, Object value) {
      found.add(name + ':' + descriptor);
      return null;
    }
  }
}
