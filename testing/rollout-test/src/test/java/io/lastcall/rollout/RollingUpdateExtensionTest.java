package io.lastcall.rollout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

class RollingUpdateExtensionTest {
  private final RollingUpdateExtension extension = new RollingUpdateExtension();

  /** Nothing of it is asked here. */
  private static ExtensionContext context() {
    return (ExtensionContext)
        Proxy.newProxyInstance(
            ExtensionContext.class.getClassLoader(),
            new Class<?>[] {ExtensionContext.class},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.toString());
            });
  }

  @Test
  void inconclusive_abortsTheTest() {
    TestAbortedException aborted =
        assertThrows(
            TestAbortedException.class,
            () ->
                extension.handleTestExecutionException(
                    context(), new InconclusiveException("Inconclusive: too busy.")));

    assertEquals("Inconclusive: too busy.", aborted.getMessage());
  }

  @Test
  void loss_failsTheTest() {
    AssertionError lost = new AssertionError("lost");

    assertSame(
        lost,
        assertThrows(
            AssertionError.class, () -> extension.handleTestExecutionException(context(), lost)));
  }

  /** What {@code docs/testing.md} shows is a test of ours that passes. */
  @Test
  void page_example_isCompiled() throws IOException {
    String page = Files.readString(Path.of("../../docs/testing.md"));
    String source = Files.readString(Path.of("src/test/java/shop/OrdersRolloutTest.java"));
    int begin = source.indexOf("  @RollingUpdateTest");
    String example =
        source
            .substring(begin, source.indexOf("\n  }\n", begin) + 4)
            .replace("\"-Ddelay=10000\", ", "")
            .stripIndent();
    assertTrue(page.contains("```java\n" + example + "\n```"), example);
  }
}
