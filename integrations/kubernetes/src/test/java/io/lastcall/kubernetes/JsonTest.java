package io.lastcall.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @Test
  void read_everyKindOfValue_isWhatItSays() {
    assertEquals(
        Map.of("a", List.of(1.0, -2.5e3, true, false), "b", Map.of(), "c", List.of()),
        Json.read(" {\"a\" : [1, -2.5e3,true,false ],\"b\":{},\r\n\t\"c\":[ ]} "));
    assertEquals(Arrays.asList((Object) null), Json.read("[null]"));
    assertEquals(
        "\"\\/\b\f\n\r\té😀", Json.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\""));
    assertEquals(0.0, Json.read("0"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "[1",
        "[1,",
        "[1,]",
        "[,1]",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,}",
        "{a:1}",
        "{1:1}",
        "\"a",
        "\"\\",
        "\"\\u00e",
        "\"\\x\"",
        "\"\n\"",
        "tru",
        "nul",
        "01",
        "1.",
        "-",
        "+1",
        "NaN",
        "1 2",
        "{} {}",
        "<html>",
        "]",
        "}",
        ":"
      })
  void read_noJson_isRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Json.read(text));
  }

  @Test
  void read_veryDeep_isRefusedBeforeTheStackEnds() {
    assertThrows(IllegalArgumentException.class, () -> Json.read("[".repeat(100_000)));
    assertEquals(List.of(List.of()), Json.read("[[]]"));
  }

  @Test
  void read_everyBeginningOfAnAnswer_isRefused() {
    String whole = FakeApiServer.pod("").strip();
    for (int length = 0; length < whole.length(); length++) {
      String half = whole.substring(0, length);
      assertThrows(IllegalArgumentException.class, () -> Json.read(half));
    }
  }
}
