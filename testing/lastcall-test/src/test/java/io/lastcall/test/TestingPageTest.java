package io.lastcall.test;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What {@code docs/testing.md} shows is a test of ours that passes. */
class TestingPageTest {
  @Test
  void page_example_isCompiled() throws IOException {
    String page = Files.readString(Path.of("../../docs/testing.md"));
    String source = Files.readString(Path.of("src/test/java/shop/OrderServiceTest.java"));
    String example = source.substring(source.indexOf("import static")).strip();
    assertTrue(page.contains("```java\n" + example + "\n```"), example);
  }
}
