package io.lastcall.agent.weaving;

import java.util.HashSet;
import java.util.Set;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts one call into one method. It calls a helper in the same class, which finds the agent through
 * the system class loader by reflection: that works where the class's own loader sees neither the
 * agent nor the class path. The helper catches everything, so the method runs as ever whatever the
 * agent does.
 */
final class Calls extends MethodVisitor {
  private static final String HELPER = "lastcall$hook";

  private static final String OBJECT = "java/lang/Object";

  private static final String HELPER_TYPE =
      "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;";

  private final Place place;
  private final boolean isStatic;
  private final String descriptor;
  private final String type;
  private final boolean isInterface;

  /** The local variables that hold objects at this instruction. */
  private final Set<Integer> objects = new HashSet<>();

  Calls(
      MethodVisitor next,
      Place place,
      int access,
      String descriptor,
      String type,
      boolean isInterface) {
    super(Opcodes.ASM9, next);
    this.place = place;
    this.isStatic = (access & Opcodes.ACC_STATIC) != 0;
    this.descriptor = descriptor;
    this.type = type;
    this.isInterface = isInterface;
    int slot = 0;
    if (!isStatic) {
      objects.add(slot++);
    }
    for (Type argument : Type.getArgumentTypes(descriptor)) {
      if (argument.getSort() >= Type.ARRAY) {
        objects.add(slot);
      }
      slot += argument.getSize();
    }
  }

  @Override
  public void visitCode() {
    super.visitCode();
    switch (place.at()) {
      case ENTRY -> {
        pushArgument();
        call();
        super.visitInsn(Opcodes.POP);
      }
      case ARGUMENT -> {
        pushArgument();
        call();
        Type argument = Type.getArgumentTypes(descriptor)[place.argument() - 1];
        super.visitTypeInsn(Opcodes.CHECKCAST, argument.getInternalName());
        super.visitVarInsn(Opcodes.ASTORE, slot());
      }
      case EXIT, RESULT -> {
        // Before each return.
      }
    }
  }

  @Override
  public void visitInsn(int opcode) {
    boolean returns = opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
    if (returns && place.at() == Place.At.EXIT) {
      pushArgument();
      call();
      super.visitInsn(Opcodes.POP);
    } else if (opcode == Opcodes.ARETURN && place.at() == Place.At.RESULT) {
      call();
      super.visitTypeInsn(Opcodes.CHECKCAST, Type.getReturnType(descriptor).getInternalName());
    }
    super.visitInsn(opcode);
  }

  private void pushArgument() {
    push(place.argument() == 0, slot());
  }

  /** Or null, where a shrinker has left no object there: a class that does not verify is lost. */
  private void push(boolean isNone, int slot) {
    if (isNone || !objects.contains(slot)) {
      super.visitInsn(Opcodes.ACONST_NULL);
    } else {
      super.visitVarInsn(Opcodes.ALOAD, slot);
    }
  }

  /** Frames are expanded: each says all that is known there. */
  @Override
  public void visitFrame(int kind, int locals, Object[] local, int stacked, Object[] stack) {
    super.visitFrame(kind, locals, local, stacked, stack);
    objects.clear();
    int slot = 0;
    for (int i = 0; i < locals; i++) {
      if (local[i] instanceof String) {
        objects.add(slot);
      }
      slot += Opcodes.LONG.equals(local[i]) || Opcodes.DOUBLE.equals(local[i]) ? 2 : 1;
    }
  }

  @Override
  public void visitVarInsn(int opcode, int slot) {
    super.visitVarInsn(opcode, slot);
    if (opcode == Opcodes.ASTORE) {
      objects.add(slot);
    } else if (opcode > Opcodes.ALOAD) {
      objects.remove(slot);
      if (opcode == Opcodes.LSTORE || opcode == Opcodes.DSTORE) {
        objects.remove(slot + 1);
      }
    }
  }

  private int slot() {
    Type[] arguments = Type.getArgumentTypes(descriptor);
    int slot = isStatic ? 0 : 1;
    for (int before = 0; before < place.argument() - 1; before++) {
      slot += arguments[before].getSize();
    }
    return slot;
  }

  /** The value is on the stack. */
  private void call() {
    push(isStatic, 0);
    super.visitLdcInsn(place.name());
    super.visitMethodInsn(Opcodes.INVOKESTATIC, type, HELPER, HELPER_TYPE, isInterface);
  }

  /**
   * Adds to a class
   *
   * <pre>{@code
   * private static Object lastcall$hook(Object value, Object self, String place) {
   *   try {
   *     return ClassLoader.getSystemClassLoader().loadClass("io.lastcall.agent.Agent")
   *         .getMethod("hook", String.class, Class.class, Object.class, Object.class)
   *         .invoke(null, place, ThisClass.class, self, value);
   *   } catch (Throwable t) {
   *     return value;
   *   }
   * }
   * }</pre>
   */
  static void addHelper(ClassVisitor to, String type, int version) {
    int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_SYNTHETIC;
    MethodVisitor helper = to.visitMethod(access, HELPER, HELPER_TYPE, null, null);
    Label begin = new Label();
    Label end = new Label();
    Label caught = new Label();
    helper.visitCode();
    helper.visitTryCatchBlock(begin, end, caught, "java/lang/Throwable");
    helper.visitLabel(begin);
    helper.visitMethodInsn(
        Opcodes.INVOKESTATIC,
        "java/lang/ClassLoader",
        "getSystemClassLoader",
        "()Ljava/lang/ClassLoader;",
        false);
    helper.visitLdcInsn("io.lastcall.agent.Agent");
    helper.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        "java/lang/ClassLoader",
        "loadClass",
        "(Ljava/lang/String;)Ljava/lang/Class;",
        false);
    helper.visitLdcInsn("hook");
    array(helper, "java/lang/Class", "java/lang/String", "java/lang/Class", OBJECT, OBJECT);
    helper.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        "java/lang/Class",
        "getMethod",
        "(Ljava/lang/String;[Ljava/lang/Class;)Ljava/lang/reflect/Method;",
        false);
    helper.visitInsn(Opcodes.ACONST_NULL);
    arguments(helper, type);
    helper.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL,
        "java/lang/reflect/Method",
        "invoke",
        "(Ljava/lang/Object;[Ljava/lang/Object;)Ljava/lang/Object;",
        false);
    helper.visitLabel(end);
    helper.visitInsn(Opcodes.ARETURN);
    helper.visitLabel(caught);
    if (version >= Opcodes.V1_6) {
      helper.visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {"java/lang/Throwable"});
    }
    helper.visitInsn(Opcodes.POP);
    helper.visitVarInsn(Opcodes.ALOAD, 0);
    helper.visitInsn(Opcodes.ARETURN);
    helper.visitMaxs(0, 0);
    helper.visitEnd();
  }

  private static void array(MethodVisitor in, String of, String... classes) {
    in.visitIntInsn(Opcodes.BIPUSH, classes.length);
    in.visitTypeInsn(Opcodes.ANEWARRAY, of);
    for (int i = 0; i < classes.length; i++) {
      in.visitInsn(Opcodes.DUP);
      in.visitIntInsn(Opcodes.BIPUSH, i);
      in.visitLdcInsn(Type.getObjectType(classes[i]));
      in.visitInsn(Opcodes.AASTORE);
    }
  }

  /** Of {@code Agent.hook}. */
  private static void arguments(MethodVisitor in, String type) {
    in.visitIntInsn(Opcodes.BIPUSH, 4);
    in.visitTypeInsn(Opcodes.ANEWARRAY, OBJECT);
    in.visitInsn(Opcodes.DUP);
    in.visitIntInsn(Opcodes.BIPUSH, 0);
    in.visitVarInsn(Opcodes.ALOAD, 2);
    in.visitInsn(Opcodes.AASTORE);
    in.visitInsn(Opcodes.DUP);
    in.visitIntInsn(Opcodes.BIPUSH, 1);
    in.visitLdcInsn(Type.getObjectType(type));
    in.visitInsn(Opcodes.AASTORE);
    in.visitInsn(Opcodes.DUP);
    in.visitIntInsn(Opcodes.BIPUSH, 2);
    in.visitVarInsn(Opcodes.ALOAD, 1);
    in.visitInsn(Opcodes.AASTORE);
    in.visitInsn(Opcodes.DUP);
    in.visitIntInsn(Opcodes.BIPUSH, 3);
    in.visitVarInsn(Opcodes.ALOAD, 0);
    in.visitInsn(Opcodes.AASTORE);
  }
}
