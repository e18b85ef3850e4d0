package io.lastcall.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of {@code @OnShutdown} in {@code docs/steps.md} has each attribute and phase. */
class StepsPageTest {
  private static final Path PAGE = Path.of("../docs/steps.md");

  @Test
  void table_attributes_areThoseOfTheAnnotation() throws IOException {
    Map<String, String[]> rows =
        Files.readString(PAGE)
            .split("### All of `@OnShutdown`\n", 2)[1]
            .lines()
            .dropWhile(line -> !line.startsWith("|---"))
            .skip(1)
            .takeWhile(line -> line.startsWith("|"))
            .map(line -> line.split(" *\\| *", -1))
            .collect(Collectors.toMap(cells -> cells[1].replace("`", ""), cells -> cells));
    Set<String> attributes =
        Arrays.stream(OnShutdown.class.getDeclaredMethods())
            .map(Method::getName)
            .collect(Collectors.toSet());
    assertEquals(attributes, rows.keySet());
    for (Method attribute : OnShutdown.class.getDeclaredMethods()) {
      String shown = rows.get(attribute.getName())[3];
      Object value = attribute.getDefaultValue();
      if (value == null) {
        assertTrue(shown.startsWith("none"), shown);
      } else if (!value.equals("")) {
        assertEquals(value.toString(), shown);
      }
    }
    for (Phase phase : Phase.values()) {
      assertTrue(rows.get("phase")[4].contains(phase.name()), phase + " is missing");
    }
  }
}
