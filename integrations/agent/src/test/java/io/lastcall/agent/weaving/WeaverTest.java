package io.lastcall.agent.weaving;

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
