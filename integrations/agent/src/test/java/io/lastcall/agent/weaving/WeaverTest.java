package io.lastcall.agent.weaving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.security.ProtectionDomain;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class WeaverTest {
  private static final ClassLoader TESTS = WeaverTest.class.getClassLoader();

  private static final ProtectionDomain DOMAIN = WeaverTest.class.getProtectionDomain();

  private final Weaver weaver = new Weaver(null);

  /** Those of servers that are on the tests' class path. */
  static Stream<Place> places() {
    return Place.ALL.stream().filter(place -> TESTS.getResource(place.type() + ".class") != null);
  }

  @ParameterizedTest
  @MethodSource("places")
  void place_isInTheServersClass_andCallsTheAgent(Place place) throws IOException {
    byte[] woven = weaver.transform(TESTS, place.type(), null, DOMAIN, bytes(place.type()));

    assertNotNull(woven);
    assertTrue(calls(woven, place.method()), place.toString());
  }

  @Test
  void otherClass_staysAsItIs() throws IOException {
    String other = "org/apache/catalina/connector/Request";
    assertNull(weaver.transform(TESTS, other, null, DOMAIN, bytes(other)));
  }

  @Test
  void classOfTheAgentsOwnLoader_staysAsItIs() throws IOException {
    String type = "org/apache/catalina/connector/Connector";
    assertNull(new Weaver(TESTS).transform(TESTS, type, null, DOMAIN, bytes(type)));
  }

  /** As shrinkers leave it: where it returns, {@code this} is no local variable any more. */
  @Test
  void methodThatHasForgottenThis_isVerified_andReturnsAsEver() throws Exception {
    String type = "io/grpc/internal/ServerImplBuilder";
    byte[] woven = weaver.transform(null, type, null, DOMAIN, withoutLocals(type));
    assertNotNull(woven);
    assertTrue(calls(woven, "build"));

    Class<?> builder = new Defining().define(woven);
    Object made = builder.getConstructor().newInstance();

    assertEquals("built", builder.getMethod("build").invoke(made));
  }

  private static final class Defining extends ClassLoader {
    Class<?> define(byte[] bytes) {
      return defineClass(null, bytes, 0, bytes.length);
    }
  }

  private static byte[] withoutLocals(String type) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, type, null, "java/lang/Object", null);
    MethodVisitor made = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    made.visitCode();
    made.visitVarInsn(Opcodes.ALOAD, 0);
    made.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    made.visitInsn(Opcodes.RETURN);
    made.visitMaxs(0, 0);
    made.visitEnd();
    MethodVisitor build =
        writer.visitMethod(Opcodes.ACC_PUBLIC, "build", "()Ljava/lang/Object;", null, null);
    build.visitCode();
    Label built = new Label();
    build.visitVarInsn(Opcodes.ALOAD, 0);
    build.visitJumpInsn(Opcodes.IFNONNULL, built);
    build.visitInsn(Opcodes.ACONST_NULL);
    build.visitInsn(Opcodes.ARETURN);
    build.visitLabel(built);
    build.visitFrame(Opcodes.F_NEW, 0, null, 0, null);
    build.visitLdcInsn("built");
    build.visitInsn(Opcodes.ARETURN);
    build.visitMaxs(0, 0);
    build.visitEnd();
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static byte[] bytes(String type) throws IOException {
    try (InputStream in = TESTS.getResourceAsStream(type + ".class")) {
      assertNotNull(in, type);
      return in.readAllBytes();
    }
  }

  private static boolean calls(byte[] type, String method) {
    boolean[] found = new boolean[1];
    ClassVisitor visitor =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            return new MethodVisitor(Opcodes.ASM9) {
              @Override
              public void visitMethodInsn(
                  int opcode, String owner, String called, String to, boolean ofInterface) {
                found[0] |= name.equals(method) && called.equals("lastcall$hook");
              }
            };
          }
        };
    new ClassReader(type).accept(visitor, 0);
    return found[0];
  }
}
