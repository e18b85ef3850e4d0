package io.lastcall.manifests;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/**
 * Makes trees of the parser's events. An alias is the tree that its anchor stands for, so that no
 * number of aliases costs memory; depth and merged keys have a limit, and a cycle is an error.
 */
final class YamlTree {
  /** No manifest comes near; the API server takes 10,000. */
  private static final int DEEPEST = 500;

  private static final int MOST_MERGED = 1_000_000;
  private static final String MERGE = "<<";
  private static final ScalarResolver RESOLVER = new CoreSchema().getScalarResolver();

  private final String file;
  private final int linesBefore;
  private final Consumer<Problem> problems;
  private final ParserImpl parser;

  /** An anchor whose tree is not finished has null. */
  private final Map<Anchor, @Nullable Yaml> anchors = new HashMap<>();

  private int depth;
  private int merged;

  private YamlTree(
      String file,
      int linesBefore,
      String text,
      Consumer<Problem> problems,
      LoadSettings settings) {
    this.file = file;
    this.linesBefore = linesBefore;
    this.problems = problems;
    parser = new ParserImpl(settings, new StreamReader(settings, text));
  }

  /**
   * Reads the documents of a text, as far as they can be read.
   *
   * @param linesBefore how many lines of the file come before the text
   */
  static void read(
      String file,
      int linesBefore,
      String text,
      Consumer<Yaml> documents,
      Consumer<Problem> problems) {
    LoadSettings settings =
        LoadSettings.builder().setLabel(file).setCodePointLimit(Integer.MAX_VALUE).build();
    try {
      new YamlTree(file, linesBefore, text, problems, settings).readAll(documents);
    } catch (MarkedYamlEngineException e) {
      int line = e.getProblemMark().map(Mark::getLine).orElse(0) + 1 + linesBefore;
      problems.accept(new Problem(file, line, "no YAML: " + e.getProblem()));
    } catch (YamlEngineException e) {
      problems.accept(new Problem(file, linesBefore + 1, "no YAML: " + e.getMessage()));
    }
  }

  private void readAll(Consumer<Yaml> documents) {
    while (parser.hasNext()) {
      if (parser.next().getEventId() == Event.ID.DocumentStart) {
        anchors.clear();
        documents.accept(node(Optional.empty()));
      }
    }
  }

  /**
   * @param keyLine of the key whose value is read
   */
  private Yaml node(Optional<Integer> keyLine) {
    Event event = parser.next();
    if (event instanceof AliasEvent alias) {
      return aliased(alias);
    }
    Anchor anchor = ((NodeEvent) event).getAnchor().orElse(null);
    if (anchor != null) {
      anchors.put(anchor, null);
    }
    if (++depth > DEEPEST) {
      throw unreadable("more than %d values within each other".formatted(DEEPEST), event);
    }
    Yaml made =
        event instanceof ScalarEvent scalar
            ? scalar(scalar)
            : collection(event, keyLine.orElse(line(event)));
    depth--;
    if (anchor != null) {
      anchors.put(anchor, made);
    }
    return made;
  }

  private Yaml aliased(AliasEvent alias) {
    Yaml known = anchors.get(alias.getAlias());
    if (known == null) {
      String what = anchors.containsKey(alias.getAlias()) ? "is part of itself" : "has no anchor";
      throw unreadable("*" + alias.getAlias() + " " + what, alias);
    }
    return known;
  }

  private Yaml scalar(ScalarEvent scalar) {
    Tag tag = tag(scalar);
    return tag.equals(Tag.NULL)
        ? Yaml.absent(file, line(scalar))
        : Yaml.scalar(file, line(scalar), tag.equals(Tag.STR), scalar.getValue());
  }

  private static Tag tag(ScalarEvent scalar) {
    return scalar
        .getTag()
        .map(Tag::new)
        .orElseGet(() -> RESOLVER.resolve(scalar.getValue(), scalar.isPlain()));
  }

  private Yaml collection(Event start, int line) {
    if (start.getEventId() == Event.ID.MappingStart) {
      return mapping(start, line);
    }
    List<Yaml> items = new ArrayList<>();
    while (!parser.checkEvent(Event.ID.SequenceEnd)) {
      items.add(node(Optional.empty()));
    }
    parser.next();
    return Yaml.sequence(file, line, items);
  }

  private Yaml mapping(Event start, int line) {
    Map<String, Yaml> members = new LinkedHashMap<>();
    List<Yaml> merges = new ArrayList<>();
    while (!parser.checkEvent(Event.ID.MappingEnd)) {
      int keyLine = line(parser.peekEvent());
      String key = node(Optional.empty()).text("");
      Yaml value = node(Optional.of(keyLine));
      if (key.equals(MERGE)) {
        merges.addAll(value.isSequence() ? value.items() : List.of(value));
      } else {
        Yaml first = members.put(key, value);
        if (first != null) {
          problems.accept(
              new Problem(
                  file,
                  keyLine,
                  "%s is set twice: kubectl refuses it, or takes the last".formatted(key)));
        }
      }
    }
    parser.next();
    // Merge keys are YAML 1.1, and kubectl knows them: the mapping's own come first.
    for (Yaml merge : merges) {
      merged += merge.members().size();
      if (merged > MOST_MERGED) {
        throw unreadable("more than %d merged keys".formatted(MOST_MERGED), start);
      }
      merge.members().forEach(members::putIfAbsent);
    }
    return Yaml.mapping(file, line, members);
  }

  private int line(Event event) {
    return event.getStartMark().map(Mark::getLine).orElse(0) + 1 + linesBefore;
  }

  private static MarkedYamlEngineException unreadable(String problem, Event event) {
    return new Unreadable(problem, event);
  }

  /** What is no error of the parser's. */
  private static final class Unreadable extends MarkedYamlEngineException {
    private static final long serialVersionUID = 1;

    Unreadable(String problem, Event event) {
      super("", event.getStartMark(), problem, event.getStartMark());
    }
  }
}
