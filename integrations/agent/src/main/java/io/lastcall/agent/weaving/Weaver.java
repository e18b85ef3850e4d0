package io.lastcall.agent.weaving;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Puts the calls into the classes of {@link Place#ALL}. A class that cannot be read stays as it is.
 * Thread-safe.
 */
final class Weaver implements ClassFileTransformer {
  private static final int ASM = Opcodes.ASM9;

  /** Class constants, which the calls need. */
  private static final int OLDEST = Opcodes.V1_5;

  private final Map<String, List<Place>> places = new HashMap<>();

  private final @Nullable ClassLoader own;

  /**
   * @param own whose classes stay as they are; null: none has such
   */
  Weaver(@Nullable ClassLoader own) {
    this.own = own;
    // No lambda, no stream: the JVM makes code for the first of them, which counts at each start.
    for (Place place : Place.ALL) {
      List<Place> ofType = places.get(place.type());
      if (ofType == null) {
        ofType = new ArrayList<>();
        places.put(place.type(), ofType);
      }
      ofType.add(place);
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      ProtectionDomain domain,
      byte[] bytes) {
    List<Place> here = name == null ? null : places.get(name);
    if (here == null || redefined != null || (own != null && loader == own)) {
      return null;
    }
    ClassReader reader = new ClassReader(bytes);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    Woven woven = new Woven(writer, here);
    reader.accept(woven, ClassReader.EXPAND_FRAMES);
    return woven.isWoven ? writer.toByteArray() : null;
  }

  private static final class Woven extends ClassVisitor {
    private final List<Place> places;
    private String type = "";
    private int version;
    private boolean isInterface;
    private boolean isWoven;

    Woven(ClassVisitor next, List<Place> places) {
      super(ASM, next);
      this.places = places;
    }

    @Override
    public void visit(
        int classVersion,
        int access,
        String name,
        String signature,
        String superName,
        String[] interfaces) {
      version = classVersion & 0xFFFF;
      type = name;
      isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
      super.visit(classVersion, access, name, signature, superName, interfaces);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
      boolean hasBody = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
      for (Place place : places) {
        if (hasBody && version >= OLDEST && place.method().equals(name)) {
          isWoven = true;
          method = new Calls(method, place, access, descriptor, type, isInterface);
        }
      }
      return method;
    }

    @Override
    public void visitEnd() {
      if (isWoven) {
        Calls.addHelper(cv, type, version);
      }
      super.visitEnd();
    }
  }
}
