package io.lastcall.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;

/** The jar itself. */
class AgentJarTest {
  private static final int JAVA_8 = 52;
  private static final long MOST_BYTES = 6_000_000;

  @Test
  void jar_isSmall() throws IOException {
    assertTrue(Files.size(AgentJvm.jar()) < MOST_BYTES);
  }

  @Test
  void entry_isForJava8_sothatAnOldJvmSaysOneLine() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.jar().toFile());
        DataInputStream in =
            new DataInputStream(
                jar.getInputStream(jar.getEntry("io/lastcall/agent/Agent.class")))) {
      in.skipBytes(6);
      assertEquals(JAVA_8, in.readUnsignedShort());
    }
  }

  /** It is on the class path of every application. */
  @Test
  void classPath_getsNoClassButTheAgents() throws IOException {
    try (JarFile jar = new JarFile(AgentJvm.jar().toFile())) {
      List<String> others =
          jar.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.endsWith(".class") || name.startsWith("META-INF/services/"))
              .filter(name -> !name.startsWith("io/lastcall/agent/"))
              .filter(name -> !name.startsWith("META-INF/lastcall/"))
              .toList();
      assertEquals(List.of(), others);
    }
  }
}
