package io.lastcall.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void write_duration_isMillisecondsWithTheDecimalsThatItHas() {
    assertEquals("1500", Json.write(Duration.ofMillis(1_500)));
    assertEquals("0.25", Json.write(Duration.ofNanos(250_000)));
  }

  @Test
  void write_controlCharacters_areEscaped() {
    assertEquals("\"\\u001b[31m\\r\\n\\t\"", Json.write("\u001b[31m\r\n\t"));
  }

  @Test
  void write_nothingInIt_isEmpty() {
    assertEquals("[{},[],null]", Json.write(List.of(Map.of(), List.of(), Optional.empty())));
  }

  @Test
  void write_anotherType_isRefused() {
    Exception e = assertThrows(IllegalArgumentException.class, () -> Json.write(new Object()));
    assertEquals("No JSON for a java.lang.Object", e.getMessage());
  }
}
