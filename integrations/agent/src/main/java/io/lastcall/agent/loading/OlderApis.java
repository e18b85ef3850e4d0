package io.lastcall.agent.loading;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * Rewrites the servlet adapter for containers before {@code jakarta.servlet}, such as Tomcat 9 of
 * Spring Boot 2.7: to {@code javax.servlet}, which has the same types up to Servlet 4.0, and to
 * what Tomcat 9 calls otherwise than Tomcat 10.1; for Jetty 9.4, also to Servlet 3.1. {@link
 * Linkage} says whether the result fits.
 */
final class OlderApis {
  private static final String REQUESTS = "io/lastcall/agent/server/OlderRequests";
  private static final String ACCEPTOR = "org/apache/tomcat/util/net/Acceptor";
  private static final String HTTP2 = "org/apache/coyote/http2/Http2AsyncUpgradeHandler";
  private static final String WRAPPER = "Lorg/apache/tomcat/util/net/SocketWrapperBase;)V";

  private static final String PROTOCOL = "Lorg/apache/coyote/http11/AbstractHttp11Protocol;";

  private final boolean isJavax;
  private final boolean servlet3;

  /**
   * @param servlet3 whether to leave out what Servlet 4.0 has added
   */
  private OlderApis(boolean isJavax, boolean servlet3) {
    this.isJavax = isJavax;
    this.servlet3 = servlet3;
  }

  /** Returns how adapters are rewritten for a loader's Servlet API; null: they fit as they are. */
  static @Nullable OlderApis in(ClassLoader servers) {
    if (servers.getResource("jakarta/servlet/Servlet.class") != null) {
      // New in Servlet 6.0.
      return servers.getResource("jakarta/servlet/ServletConnection.class") == null
          ? new OlderApis(false, false)
          : null;
    }
    if (servers.getResource("javax/servlet/Servlet.class") == null) {
      return null;
    }
    // New in Servlet 4.0.
    return new OlderApis(
        true, servers.getResource("javax/servlet/http/HttpServletMapping.class") == null);
  }

  byte[] rewrite(byte[] bytes) {
    ClassWriter writer = new ClassWriter(0);
    ClassVisitor rewritten = new Rewritten(writer, servlet3);
    new ClassReader(bytes)
        .accept(isJavax ? new ClassRemapper(rewritten, new Names()) : rewritten, 0);
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

  private static final class Rewritten extends ClassVisitor {
    private final boolean servlet3;

    Rewritten(ClassVisitor next, boolean servlet3) {
      super(Opcodes.ASM9, next);
      this.servlet3 = servlet3;
    }

    @Override
    public MethodVisitor visitMethod(
        int access, String name, String descriptor, String signature, String[] exceptions) {
      MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
      return new Calls(servlet3 ? new WithoutTrailers(method) : method);
    }
  }

  private static final class Calls extends MethodVisitor {
    Calls(@Nullable MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String type, boolean ofInterface) {
      if (method.equals("getRequestId") && type.equals("()Ljava/lang/String;")) {
        // Since Servlet 6.0.
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC, REQUESTS, "id", "(Ljava/lang/Object;)Ljava/lang/String;", false);
      } else if (owner.equals(ACCEPTOR) && method.equals("stopMillis")) {
        // In seconds there; what is below zero waits in neither.
        super.visitMethodInsn(opcode, owner, "stop", type, ofInterface);
      } else if (owner.equals(HTTP2) && method.equals("<init>") && type.endsWith(WRAPPER)) {
        // Tomcat 9 sets the socket's wrapper later.
        super.visitInsn(Opcodes.POP);
        String shorter = type.substring(0, type.length() - WRAPPER.length()) + ")V";
        super.visitMethodInsn(opcode, owner, method, shorter, ofInterface);
      } else if (method.equals("getHttp11Protocol") && type.endsWith(PROTOCOL)) {
        // Of a type above it there.
        super.visitMethodInsn(
            opcode, owner, method, "()Lorg/apache/coyote/AbstractProtocol;", ofInterface);
        super.visitTypeInsn(Opcodes.CHECKCAST, PROTOCOL.substring(1, PROTOCOL.length() - 1));
      } else {
        super.visitMethodInsn(opcode, owner, method, type, ofInterface);
      }
    }

    /** {@code TomcatInternals} looks for it by its text. */
    @Override
    public void visitLdcInsn(Object value) {
      super.visitLdcInsn(value.equals("void stopMillis(int)") ? "void stop(int)" : value);
    }
  }

  /** A response has no trailers: it is asked for none, and given none. */
  private static final class WithoutTrailers extends MethodVisitor {
    WithoutTrailers(@Nullable MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String type, boolean ofInterface) {
      if (owner.startsWith("javax/servlet/") && method.equals("getTrailerFields")) {
        super.visitInsn(Opcodes.POP);
        super.visitInsn(Opcodes.ACONST_NULL);
      } else if (owner.startsWith("javax/servlet/") && method.equals("setTrailerFields")) {
        super.visitInsn(Opcodes.POP2);
      } else {
        super.visitMethodInsn(opcode, owner, method, type, ofInterface);
      }
    }
  }
}
