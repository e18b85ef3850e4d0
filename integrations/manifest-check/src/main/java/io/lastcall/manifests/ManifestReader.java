package io.lastcall.manifests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads files of several documents and lists; a part that cannot be read does not stop the rest.
 */
final class ManifestReader {
  /** The output of kustomize or Helm for a whole cluster. */
  private static final int LONGEST = 100_000_000;

  final List<Yaml> objects = new ArrayList<>();
  final List<Problem> problems = new ArrayList<>();

  /** Reads a file, or standard input where that is {@code -}. */
  void read(String name, InputStream standardInput) {
    try {
      byte[] bytes =
          name.equals("-") ? standardInput.readAllBytes() : Files.readAllBytes(Path.of(name));
      readText(name, new String(bytes, StandardCharsets.UTF_8));
    } catch (NoSuchFileException e) {
      problems.add(new Problem(name, 1, "there is no such file"));
    } catch (IOException | IllegalArgumentException e) {
      problems.add(new Problem(name, 1, e.toString()));
    }
  }

  /** Reads a text as the file of that name. */
  void readText(String name, String text) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(name).setCodePointLimit(LONGEST).build();
    try {
      Iterator<Node> documents = new Compose(settings).composeAllFromString(text).iterator();
      while (documents.hasNext()) {
        add(Yaml.of(name, documents.next()));
      }
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      problems.add(new Problem(name, line, "no YAML: " + e.getProblem()));
    } catch (YamlEngineException e) {
      problems.add(new Problem(name, 1, "no YAML: " + e.getMessage()));
    }
  }

  private void add(Yaml object) {
    Optional<String> kind = object.get("kind").text();
    if (!object.isPresent()) {
      return; // nothing but comments, as Helm writes for what is switched off
    }
    if (kind.isEmpty() || !object.get("apiVersion").isPresent()) {
      problems.add(
          new Problem(
              object.file(), object.line(), "no manifest: it has no apiVersion or no kind"));
    } else if (kind.get().endsWith("List") && object.get("items").isPresent()) {
      object.get("items").items().forEach(this::add);
    } else {
      objects.add(object);
    }
  }
}
