package io.lastcall.manifests;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads files of several documents and lists; a part that cannot be read does not stop the rest.
 */
final class ManifestReader {
  /** As YAML and kubectl have it; what follows on the line belongs to the document. */
  private static final Pattern DOCUMENT = Pattern.compile("---(\\s.*)?");

  private static final Pattern NO_CONTENT =
      Pattern.compile("(?s)\\s*|\\s*#.*|%.*|---\\s*|---\\s+#.*");

  /** A list of lists of lists may stand for more objects than any cluster has. */
  private static final int MOST = 1_000_000;

  final List<Yaml> objects = new ArrayList<>();
  final List<Problem> problems = new ArrayList<>();

  /** What was not checked, and why. */
  final List<Finding> notes = new ArrayList<>();

  private int count;

  /** Reads a file, or standard input where that is {@code -}. */
  void read(String name, InputStream standardInput) {
    try {
      boolean isStandardInput = name.equals("-");
      if (!isStandardInput && Kustomizations.isOne(Path.of(name))) {
        return;
      }
      byte[] bytes =
          isStandardInput ? standardInput.readAllBytes() : Files.readAllBytes(Path.of(name));
      Optional<Path> kustomization =
          isStandardInput ? Optional.empty() : Kustomizations.patchedBy(Path.of(name));
      if (kustomization.isPresent()) {
        notes.add(
            new Finding(
                Rule.PATCH_UNCHECKED,
                name,
                1,
                "a patch of %s: check the output of kustomize build"
                    .formatted(kustomization.get())));
      } else {
        readText(name, text(bytes));
      }
    } catch (NoSuchFileException e) {
      problems.add(new Problem(name, 1, "there is no such file"));
    } catch (IOException | IllegalArgumentException e) {
      problems.add(new Problem(name, 1, String.valueOf(e.getMessage())));
    }
  }

  /** Decodes as kubectl does: UTF-8, or UTF-16 with a byte order mark, as PowerShell writes it. */
  private static String text(byte[] bytes) {
    int mark = bytes.length < 2 ? 0 : (bytes[0] & 0xff) << 8 | (bytes[1] & 0xff);
    boolean isUtf16 = mark == 0xfeff || mark == 0xfffe;
    Charset charset = isUtf16 ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8;
    String text = new String(bytes, charset);
    return text.startsWith("\ufeff") ? text.substring(1) : text;
  }

  /** Reads a text as the file of that name. */
  void readText(String name, String text) {
    int start = 0;
    int linesBefore = 0;
    int line = 0;
    boolean hasContent = false;
    for (int at = 0, end; at < text.length(); at = end, line++) {
      end = text.indexOf('\n', at) + 1;
      end = end == 0 ? text.length() : end;
      String read = text.substring(at, end);
      if (hasContent && DOCUMENT.matcher(read.stripTrailing()).matches()) {
        readDocument(name, linesBefore, text.substring(start, at));
        start = at;
        linesBefore = line;
        hasContent = false;
      }
      hasContent |= !NO_CONTENT.matcher(read).matches();
    }
    readDocument(name, linesBefore, text.substring(start));
  }

  private void readDocument(String name, int linesBefore, String text) {
    YamlTree.read(name, linesBefore, text, this::add, problems::add);
  }

  private void add(Yaml object) {
    Optional<String> kind = object.get("kind").text();
    if (++count > MOST) {
      throw new IllegalArgumentException("more than %d objects".formatted(MOST));
    } else if (!object.isPresent()) {
      return; // nothing but comments, as Helm writes for what is switched off
    }
    if (kind.isEmpty() || !object.get("apiVersion").isPresent()) {
      problems.add(
          new Problem(object.file, object.line, "no manifest: it has no apiVersion or no kind"));
    } else if (kind.get().endsWith("List") && object.get("items").isPresent()) {
      object.get("items").items().forEach(this::add);
    } else {
      objects.add(object);
    }
  }
}
