package io.lastcall.published;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/** A POM as it is written, without what it inherits. */
record Pom(Element root) {
  static Pom read(Path file) throws IOException {
    try {
      return new Pom(
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getDocumentElement());
    } catch (ParserConfigurationException | SAXException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  String artifact() {
    return text("artifactId");
  }

  String parent() {
    return text("parent", "artifactId");
  }

  String packaging() {
    String packaging = text("packaging");
    return packaging.isEmpty() ? "jar" : packaging;
  }

  boolean isOurs() {
    return (text("groupId") + text("parent", "groupId")).equals("io.lastcall");
  }

  boolean skipsDeploy() {
    return text("properties", "maven.deploy.skip").equals("true");
  }

  /** The text of the element that the names lead to, with that of its children; else "". */
  String text(String... names) {
    List<Element> at = List.of(root);
    for (String name : names) {
      at = at.isEmpty() ? at : children(at.get(0), name);
    }
    return at.isEmpty() ? "" : at.get(0).getTextContent().replaceAll("\\s+", " ").strip();
  }

  /** The artifacts that it manages, in its order. */
  List<String> managed() {
    List<String> artifacts = new ArrayList<>();
    Element management = children(root, "dependencyManagement").get(0);
    for (Element dependency : children(children(management, "dependencies").get(0), "dependency")) {
      artifacts.add(new Pom(dependency).artifact());
    }
    return artifacts;
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element child && child.getTagName().equals(name)) {
        children.add(child);
      }
    }
    return children;
  }
}
