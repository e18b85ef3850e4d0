package io.lastcall.servlet;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptsTest {
  private final Attempts attempts = new Attempts();
  private final List<String> done = new ArrayList<>();

  @Test
  void attempt_allFail_eachIsTriedAndTheFirstFailureHasTheOthers() {
    IOException first = new IOException("first");
    IllegalStateException second = new IllegalStateException("second");
    attempts.attempt(() -> fail(first));
    attempts.attempt(() -> fail(second));
    attempts.attempt(() -> done.add("third"));

    assertSame(first, assertThrows(IOException.class, attempts::throwFailure));
    assertArrayEquals(new Throwable[] {second}, first.getSuppressed());
    assertEquals(List.of("first", "second", "third"), done);
  }

  @Test
  void throwFailure_nothingFailed_doesNotThrow() throws Exception {
    attempts.attempt(() -> done.add("only"));
    attempts.throwFailure();
    assertEquals(List.of("only"), done);
  }

  private void fail(Exception failure) throws Exception {
    done.add(failure.getMessage());
    throw failure;
  }
}
