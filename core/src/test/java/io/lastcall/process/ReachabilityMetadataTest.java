package io.lastcall.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What native-image is told of must exist; the native compiler itself is not part of the build. */
class ReachabilityMetadataTest {
  private static final String FILE =
      "/META-INF/native-image/io.lastcall/lastcall-core/reachability-metadata.json";

  /** One type and, until the next one, its members. */
  private static final Pattern TYPE =
      Pattern.compile("\"type\": \"([^\"]+)\"((?s:.*?))(?=\"type\"|\\z)");

  private static final Pattern PROXY = Pattern.compile("\"proxy\": \\[\"([^\"]+)\"]");
  private static final Pattern METHOD =
      Pattern.compile("\"name\": \"([^\"]+)\", \"parameterTypes\": \\[([^]]*)]");
  private static final Pattern FIELD = Pattern.compile("\\{ \"name\": \"([^\"]+)\" }");

  @Test
  void metadata_everyTypeMethodAndField_exists() throws Exception {
    List<String> found = new ArrayList<>();
    for (MatchResult entry : all(TYPE, text())) {
      Class<?> type = Class.forName(entry.group(1));
      found.add(type.getSimpleName());
      for (MatchResult method : all(METHOD, entry.group(2))) {
        assertNotNull(member(type, method.group(1), parameters(method.group(2))));
        found.add(type.getSimpleName() + "." + method.group(1));
      }
      for (MatchResult field : all(FIELD, entry.group(2))) {
        found.add(type.getSimpleName() + "." + type.getField(field.group(1)).getName());
      }
    }
    assertEquals(
        List.of(
            "Signal",
            "Signal.<init>",
            "Signal.handle",
            "SignalHandler",
            "SignalHandler.SIG_IGN",
            "ShutdownSettings"),
        found);
  }

  @Test
  void metadata_proxiedInterface_exists() throws Exception {
    List<MatchResult> proxies = all(PROXY, text());
    assertEquals(1, proxies.size());
    assertTrue(Class.forName(proxies.get(0).group(1)).isInterface());
  }

  private static Object member(Class<?> type, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    return name.equals("<init>")
        ? type.getConstructor(parameters)
        : type.getMethod(name, parameters);
  }

  private static Class<?>[] parameters(String list) throws ClassNotFoundException {
    List<Class<?>> types = new ArrayList<>();
    for (String name : Arrays.asList(list.replace("\"", "").split(", ", -1))) {
      types.add(Class.forName(name));
    }
    return types.toArray(Class<?>[]::new);
  }

  private static List<MatchResult> all(Pattern pattern, String text) {
    return pattern.matcher(text).results().toList();
  }

  private static String text() throws IOException {
    try (InputStream file = ReachabilityMetadataTest.class.getResourceAsStream(FILE)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
