package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.CoarseDrain;
import io.lastcall.servlet.ContainerInternals;
import io.lastcall.servlet.ContainerInternals.Tested;
import io.lastcall.servlet.RenamingLoader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class TomcatInternalsTest {
  /** Names that Tomcat also implements or calls of the JDK's or of Jakarta EE's. */
  private static final Set<String> COMMON = Set.of("process", "release", "service", "request");

  static Stream<String> members() {
    return TomcatInternals.MEMBERS.values().stream()
        .flatMap(List::stream)
        .map(member -> member.replaceFirst(" \\|.*", "").replaceFirst("\\(.*", ""))
        .map(member -> member.substring(member.indexOf(' ') + 1))
        .filter(name -> !COMMON.contains(name))
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("members")
  void problem_memberMoved_isNamed(String member) throws Exception {
    RenamingLoader loader = new RenamingLoader("org.apache.", member);
    assertTrue(loader.problem(TomcatInternals.class).contains(member));
  }

  @ParameterizedTest
  @MethodSource("firstAndLastMember")
  void drain_memberMoved_warningNamesItAndNothingIsLost(String member) throws Exception {
    assertDrainsCoarsely(member);
  }

  static Stream<String> firstAndLastMember() {
    List<String> members = members().toList();
    return Stream.of(members.get(0), members.get(members.size() - 1));
  }

  /** A whole drain for each: the same path for all that {@code problem} names. */
  @Tag("all")
  @ParameterizedTest
  @MethodSource("members")
  void drain_anyMemberMoved_warningNamesItAndNothingIsLost(String member) throws Exception {
    assertDrainsCoarsely(member);
  }

  @ParameterizedTest
  @MethodSource("types")
  void drain_classMoved_warningNamesItAndNothingIsLost(String type) throws Exception {
    assertDrainsCoarsely(type);
  }

  /** The others are superclasses of the connector itself, which could not be loaded. */
  static Stream<String> types() {
    return Stream.of("org.apache.coyote.http2.Http2AsyncUpgradeHandler");
  }

  private static void assertDrainsCoarsely(String name) throws Exception {
    RenamingLoader loader = new RenamingLoader("org.apache.", name);
    String log = CoarseDrain.logOf(loader, TomcatCoarseDrain.class);
    List<String> warnings = log.lines().filter(line -> line.contains(" WARN ")).toList();
    assertEquals(1, warnings.size(), log);
    assertTrue(warnings.get(0).contains("Tomcat version "), log);
    assertTrue(warnings.get(0).contains(name), log);
  }

  @Test
  void problem_thisTomcat_none() {
    assertEquals(Optional.empty(), TomcatInternals.problem());
  }

  /** What is there counts, and not what it is called; nor does a version that is hidden. */
  @Test
  void problem_versionOutsideTheTestedRange_none() {
    for (String version : List.of("11.1.0.0", "11.0.1.0", "12.0.0-M1", "0.0.0.0", "unknown")) {
      assertEquals(
          Optional.empty(), ContainerInternals.problem(version, TomcatInternals.MEMBERS), version);
    }
  }

  @Test
  void informIfUntested_outsideTheRange_isSaidOnce() {
    Map<String, Tested> tested = Map.of("11.0", new Tested(14, 25), "10.1", new Tested(41, 55));
    for (String inside : List.of("11.0.14", "11.0.25.0", "10.1.50")) {
      assertEquals("", said(inside, tested));
    }
    String line = said("11.0.26", tested);
    assertTrue(line.contains("INFO"), line);
    assertTrue(line.contains("Test 11.0.26 is drained exactly"), line);
    assertTrue(line.contains("tested are 10.1.41 to 10.1.55, 11.0.14 to 11.0.25"), line);
    assertEquals("", said("11.0.26", tested));
    assertTrue(said("11.1.0", tested).contains("INFO"));
  }

  private static String said(String version, Map<String, Tested> tested) {
    PrintStream console = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try {
      ContainerInternals.informIfUntested("Test", version, tested);
    } finally {
      System.setErr(console);
    }
    return log.toString(StandardCharsets.UTF_8);
  }
}
