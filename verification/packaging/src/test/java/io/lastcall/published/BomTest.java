package io.lastcall.published;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class BomTest {
  private final Pom bom;
  private final Pom parent;

  BomTest() throws IOException {
    bom = Pom.read(Artifacts.ROOT.resolve("integrations/bom/pom.xml"));
    parent = Pom.read(Artifacts.ROOT.resolve("pom.xml"));
  }

  @Test
  void bom_everyPublishedArtifact_isInIt() throws IOException {
    assertEquals(Artifacts.published(), new TreeSet<>(bom.managed()));
  }

  /** So that the other tests of this module miss none. */
  @Test
  void thisModule_everyPublishedArtifact_isOnItsClassPath() throws IOException {
    assertEquals(Artifacts.published(), Artifacts.ownJars().keySet());
  }

  /** It has no parent to inherit from. */
  @Test
  void bom_versionAndMetadata_areThoseOfTheParent() {
    assertTrue(bom.parent().isEmpty(), bom.parent());
    for (String element : new String[] {"version", "url", "licenses", "developers", "scm"}) {
      assertEquals(parent.text(element), bom.text(element), element);
    }
  }
}
