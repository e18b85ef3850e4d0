package io.lastcall.servlet.jetty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.CoarseDrain;
import io.lastcall.servlet.RenamingLoader;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(120)
class JettyInternalsTest {
  /** Names that Jetty also implements or calls of the JDK's or of Jakarta EE's. */
  private static final Set<String> COMMON = Set.of("accept", "onClose");

  static Stream<String> members() {
    return Stream.of(JettyInternals.MEMBERS.values(), JettyInternals.HTTP2_MEMBERS.values())
        .flatMap(Collection::stream)
        .flatMap(List::stream)
        .map(member -> member.replaceFirst("\\(.*", ""))
        .map(member -> member.substring(member.indexOf(' ') + 1))
        .filter(name -> !COMMON.contains(name))
        .distinct();
  }

  @ParameterizedTest
  @MethodSource("members")
  void problem_memberMoved_isNamed(String member) throws Exception {
    RenamingLoader loader = new RenamingLoader("org.eclipse.jetty.", member);
    assertTrue(loader.problem(JettyInternals.class).contains(member));
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

  /** The others are superclasses of the connector itself, which could not be loaded. */
  static Stream<String> types() {
    return Stream.of(
        "org.eclipse.jetty.server.internal.HttpConnection",
        "org.eclipse.jetty.http2.HTTP2Session",
        "org.eclipse.jetty.http2.HTTP2Stream");
  }

  @ParameterizedTest
  @MethodSource("types")
  void drain_classMoved_warningNamesItAndNothingIsLost(String type) throws Exception {
    assertDrainsCoarsely(type);
  }

  private static void assertDrainsCoarsely(String name) throws Exception {
    RenamingLoader loader = new RenamingLoader("org.eclipse.jetty.", name);
    String log = CoarseDrain.logOf(loader, JettyCoarseDrain.class);
    List<String> warnings = log.lines().filter(line -> line.contains("so jetty:")).toList();
    assertEquals(1, warnings.size(), log);
    assertTrue(warnings.get(0).contains("WARN"), log);
    assertTrue(warnings.get(0).contains("Jetty version " + Server.getVersion()), log);
    assertTrue(warnings.get(0).contains(name), log);
  }

  @Test
  void problem_thisJetty_none() {
    assertEquals(Optional.empty(), JettyInternals.problem());
  }
}
