package io.lastcall.examples.work;

import io.lastcall.testing.PageSnippets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class WorkPageTest {
  @TestFactory
  List<DynamicTest> page_everySnippet_isInAnExample() throws IOException {
    return PageSnippets.tests(Path.of("../../docs/work-clients.md"), Path.of("src/main/java"));
  }
}
