package io.lastcall.manifests;

import java.util.List;
import java.util.Optional;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A value of a manifest, present or absent, and where it is. An absent one is where its parent is:
 * something is missing there.
 *
 * @param file as it was named
 * @param line the first is 1
 * @param node empty if it is absent, or null
 */
record Yaml(String file, int line, Optional<Node> node) {

  static Yaml of(String file, Node node) {
    int line = node.getStartMark().map(Mark::getLine).orElse(0) + 1;
    boolean isNull = node.getTag().equals(Tag.NULL);
    return new Yaml(file, line, isNull ? Optional.empty() : Optional.of(node));
  }

  /** Returns a member of a member, and so on. */
  Yaml get(String... path) {
    Yaml found = this;
    for (String key : path) {
      found = found.member(key);
    }
    return found;
  }

  private Yaml member(String key) {
    Optional<Yaml> own = tuple(key).map(tuple -> of(file, tuple.getValueNode()));
    // Merge keys are YAML 1.1, and kubectl knows them.
    return own.or(() -> tuple("<<").map(merged -> of(file, merged.getValueNode()).member(key)))
        .orElse(new Yaml(file, line, Optional.empty()));
  }

  private Optional<NodeTuple> tuple(String key) {
    return tuples().stream()
        .filter(
            tuple -> tuple.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key))
        .findFirst();
  }

  private List<NodeTuple> tuples() {
    return node.orElse(null) instanceof MappingNode mapping ? mapping.getValue() : List.of();
  }

  /** Returns the keys of a mapping; empty for anything else. */
  List<String> keys() {
    return tuples().stream()
        .map(NodeTuple::getKeyNode)
        .filter(ScalarNode.class::isInstance)
        .map(key -> ((ScalarNode) key).getValue())
        .toList();
  }

  /** Returns the items of a sequence; empty for anything else. */
  List<Yaml> items() {
    return node.orElse(null) instanceof SequenceNode sequence
        ? sequence.getValue().stream().map(item -> of(file, item)).toList()
        : List.of();
  }

  boolean isPresent() {
    return node.isPresent();
  }

  /** Returns the text of a scalar; empty for anything else. */
  Optional<String> text() {
    return node.orElse(null) instanceof ScalarNode scalar
        ? Optional.of(scalar.getValue())
        : Optional.empty();
  }

  String text(String fallback) {
    return text().orElse(fallback);
  }

  boolean is(String wanted) {
    return text("").equals(wanted);
  }

  /** Returns a whole number; the fallback for anything else. */
  int number(int fallback) {
    return text()
        .filter(digits -> digits.matches("-?\\d{1,9}"))
        .map(Integer::parseInt)
        .orElse(fallback);
  }
}
