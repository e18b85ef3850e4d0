package io.lastcall.examples.cluster;

import io.lastcall.testing.PageSnippets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class LeadersPageTest {
  @TestFactory
  List<DynamicTest> page_everySnippet_isInAnExample() throws IOException {
    return PageSnippets.tests(
        Path.of("../../docs/leaders-and-registries.md"), Path.of("src/main/java"));
  }
}
