package io.lastcall.agent.loading;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Rewrites the servlet adapter from {@code jakarta.servlet} to {@code javax.servlet}, which has the
 * same types up to Servlet 4.0: for Tomcat 9 and Spring Boot 2.7. {@link Linkage} says whether what
 * comes out fits.
 */
final class OlderServlets {
  private static final String REQUESTS = "io/lastcall/agent/server/OlderRequests";

  /** Whether a loader has {@code javax.servlet}, and no {@code jakarta.servlet}. */
  static boolean in(ClassLoader servers) {
    return servers.getResource("jakarta/servlet/Servlet.class") == null
        && servers.getResource("javax/servlet/Servlet.class") != null;
  }

  byte[] rewrite(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    new ClassReader(bytes).accept(new ClassRemapper(new WithoutRequestId(writer), new Names()), 0);
    return writer.toByteArray();
  }

  private static final class Names extends Remapper {
    Names() {
      super(Opcodes.ASM9);
    }

    @Override
    public String map(String name) {
      return name.startsWith("jakarta/servlet/") || name.startsWith("jakarta/websocket/")
          ? "javax" + name.substring("jakarta".length())
          : name;
    }
  }

  /** A request has an id since Servlet 6.0. */
  private static final class WithoutRequestId extends ClassVisitor {
    WithoutRequestId(ClassVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new MethodVisitor(Opcodes.ASM9, next) {
        @Override
        public void visitMethodInsn(
            int opcode, String owner, String method, String type, boolean ofInterface) {
          if (method.equals("getRequestId") && type.equals("()Ljava/lang/String;")) {
            super.visitMethodInsn(
                Opcodes.INVOKESTATIC,
                REQUESTS,
                "id",
                "(Ljava/lang/Object;)Ljava/lang/String;",
                false);
          } else {
            super.visitMethodInsn(opcode, owner, method, type, ofInterface);
          }
        }
      };
    }
  }
}
