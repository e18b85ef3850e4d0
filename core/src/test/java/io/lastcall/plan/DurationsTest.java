package io.lastcall.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

  @ParameterizedTest
  @CsvSource({
    "30s, PT30S",
    "500ms, PT0.5S",
    "1m30s, PT1M30S",
    "2h, PT2H",
    "1h2m3s4ms, PT1H2M3.004S",
    "PT30S, PT30S",
    "pt30s, PT30S",
    "+PT1m30S, PT1M30S",
    "P1D, PT24H",
    "' 15S ', PT15S",
    "0s, PT0S",
    "168h, PT168H",
  })
  void parse_withUnit_isTheDuration(String text, Duration expected) {
    assertEquals(expected, Durations.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"30", "0", "1.5", "-3", "+3"})
  void parse_bareNumber_saysTheUnitIsMissing(String text) {
    assertEquals("the unit is missing", refusal(text));
  }

  @Test
  void parse_negative_saysSo() {
    assertEquals("it is negative", refusal("-3s"));
    assertEquals("it is negative", refusal("PT-3S"));
    assertEquals("it is negative", refusal("-pt3s"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "s", "30 s", "30sec", "s30", "30s1m", "1,5s", "1.5s", "forever"})
  void parse_noDuration_saysSo(String text) {
    assertEquals("it is not a duration", refusal(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"P", "PT", "P1Y", "PTxS", "PT99999999999999999999S"})
  void parse_brokenIso_saysSo(String text) {
    assertEquals("it is not an ISO-8601 duration", refusal(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"169h", "168h1ms", "30000m", "P8D", "999999999h"})
  void parse_absurd_saysLongerThanAWeek(String text) {
    assertEquals("it is longer than a week", refusal(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "30s", "500ms", "1m30s", "1h", "1h2m3s4ms", "168h"})
  void format_anyWhole_canBeConfiguredBack(String text) {
    assertEquals(text, Durations.format(Durations.parse(text)));
  }

  @Test
  void format_lessThanAMillisecond_isInIso() {
    assertEquals("PT0.0005S", Durations.format(Duration.ofNanos(500_000)));
  }

  private static String refusal(String text) {
    return String.valueOf(
        assertThrows(IllegalArgumentException.class, () -> Durations.parse(text)).getMessage());
  }
}
