package io.lastcall.agent.loading;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The classes and members of others that a class uses. Each is a string, since records are compared
 * by code that the JVM makes at the first comparison, which counts at start-up.
 */
final class Uses extends ClassVisitor {
  /** Between a class and its member, which is empty where the class alone is used. */
  static final char MEMBER = ' ';

  private static final int ASM = Opcodes.ASM9;

  // Tags in a constant pool (JVMS, table 4.4-A).
  private static final int CLASS = 7;
  private static final int FIELD = 9;
  private static final int METHOD = 10;
  private static final int INTERFACE_METHOD = 11;

  private final Set<String> found = new HashSet<>();

  private Uses() {
    super(ASM);
  }

  /**
   * Returns all that a class names: what its code uses, and more. Where all of that is there, its
   * code need not be read, which is most of what the check costs.
   */
  static Collection<String> named(ClassReader reader) {
    List<String> named = new ArrayList<>();
    char[] buffer = new char[reader.getMaxStringLength()];
    for (int i = 1; i < reader.getItemCount(); i++) {
      int at = reader.getItem(i); // behind its tag; 0: the second half of a long one
      int tag = at == 0 ? 0 : reader.readByte(at - 1);
      switch (tag) {
        case CLASS -> named.add(use(reader.readUTF8(at, buffer), ""));
        case FIELD, METHOD, INTERFACE_METHOD -> {
          int member = reader.getItem(reader.readUnsignedShort(at + 2));
          String name = reader.readUTF8(member, buffer);
          String type = reader.readUTF8(member + 2, buffer);
          named.add(
              use(reader.readClass(at, buffer), tag == FIELD ? name + ':' + type : name + type));
        }
        default -> {
          // It names nothing of another class.
        }
      }
    }
    return named;
  }

  /** Returns what a class's code uses. */
  static Collection<String> inCode(ClassReader reader) {
    Uses uses = new Uses();
    reader.accept(uses, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return uses.found;
  }

  private static String use(String owner, String member) {
    return owner + MEMBER + member;
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String superName, String[] direct) {
    found.add(use(superName, ""));
    for (String each : direct) {
      found.add(use(each, ""));
    }
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String descriptor, String signature, String[] exceptions) {
    String inside = name + descriptor;
    return new MethodVisitor(ASM) {
      @Override
      public void visitMethodInsn(
          int opcode, String owner, String method, String type, boolean ofInterface) {
        String member = method + type;
        // A method that only newer servers call may call what only they have.
        found.add(use(owner, member.equals(inside) ? "" : member));
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String field, String type) {
        found.add(use(owner, field + ':' + type));
      }

      @Override
      public void visitTypeInsn(int opcode, String type) {
        found.add(use(type, ""));
      }
    };
  }
}
