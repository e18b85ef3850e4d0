package io.lastcall.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.CharBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndlessResponseTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "text/event-stream",
        "Text/Event-Stream",
        "text/event-stream;charset=utf-8",
        "text/event-stream ; charset=utf-8"
      })
  void isEventStream_withParametersAndInAnyCase_yes(String type) {
    assertTrue(EndlessResponse.isEventStream(type));
    assertTrue(EndlessResponse.isEventStream(CharBuffer.wrap(type)));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "text/event", "text/event-streams", "application/x-ndjson"})
  void isEventStream_otherTypes_no(String type) {
    assertFalse(EndlessResponse.isEventStream(type));
  }

  @ParameterizedTest
  @CsvSource({
    "GET, 200, text/event-stream, , true",
    "HEAD, 200, text/event-stream, , true",
    "POST, 200, text/event-stream, , false",
    "PUT, 200, text/event-stream, , false",
    "GET, 200, application/x-ndjson, , false",
    "GET, 200, , , false",
    "GET, 500, text/event-stream, , false",
    "GET, 200, text/event-stream, finite, false",
    "GET, 200, text/event-stream, other, true",
    "POST, 200, text/event-stream, endless, true",
    "POST, 200, application/x-ndjson, endless, true",
    "GET, 503, application/json, endless, false",
  })
  void isKnown_byMethodTypeAndMark(
      String method, int status, String type, String mark, boolean expected) {
    assertEquals(expected, EndlessResponse.isKnown(method, status, type, mark));
  }

  @Test
  void isPossible_methodsThatReconnect() {
    assertTrue(EndlessResponse.isPossible("GET"));
    assertTrue(EndlessResponse.isPossible("HEAD"));
    assertFalse(EndlessResponse.isPossible("POST"));
    assertFalse(EndlessResponse.isPossible("get"));
  }
}
