package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http2.Http2FrameCodec;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What native-image is told of must exist, and all that is reached by name must be told of. */
class ReachabilityMetadataTest {
  private static final String FILE =
      "/META-INF/native-image/io.lastcall/lastcall-netty/reachability-metadata.json";

  @Test
  void metadata_whatPlacementLooksFor_isNamed() throws Exception {
    try (InputStream file = ReachabilityMetadataTest.class.getResourceAsStream(FILE)) {
      String text = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
      assertTrue(text.contains("\"type\": \"" + Http2FrameCodec.class.getName() + "\""), text);
      assertTrue(text.contains("\"typeReached\": \"" + Placement.class.getName() + "\""), text);
    }
  }

  @Test
  void main_everyClassThatReachesByName_isKnown() throws Exception {
    Path root =
        Path.of(Placement.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<String> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        String code = Files.readString(file, StandardCharsets.ISO_8859_1);
        if (Stream.of("forName", "unreflect", "findVirtual", "newProxyInstance", "getDeclared")
            .anyMatch(code::contains)) {
          found.add(file.getFileName().toString());
        }
      }
    }
    assertEquals(List.of("Placement.class", "VertxDrain.class"), found.stream().sorted().toList());
  }
}
