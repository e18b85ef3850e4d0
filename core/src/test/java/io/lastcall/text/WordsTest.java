package io.lastcall.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class WordsTest {

  @Test
  void duration_any_hasTheDecimalsAPersonNeeds() {
    assertEquals("0 ms", Words.of(Duration.ZERO));
    assertEquals("999 ms", Words.of(Duration.ofMillis(999)));
    assertEquals("1 s", Words.of(Duration.ofSeconds(1)));
    assertEquals("9.8 s", Words.of(Duration.ofMillis(9_750)));
    assertEquals("250 s", Words.of(Duration.ofMillis(250_400)));
  }

  @Test
  void counted_one_isSingular() {
    assertEquals("0 requests", Words.counted(0, "request"));
    assertEquals("1 request", Words.counted(1, "request"));
    assertEquals("2 requests", Words.counted(2, "request"));
  }

  @Test
  void failure_thatSaysNothing_isNamedByItsClass() {
    assertEquals(
        "java.lang.IllegalStateException: full", Words.of(new IllegalStateException("full")));
    assertEquals("full", Words.message(new IllegalStateException("full")));
    assertEquals("java.lang.IllegalStateException", Words.message(new IllegalStateException()));
    assertEquals(Mute.class.getName(), Words.of(new Mute()));
    assertEquals(Mute.class.getName(), Words.message(new Mute()));
  }

  private static final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("it does not say");
    }
  }
}
