package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.GracefulShutdown;
import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import java.lang.reflect.Member;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The members that core takes as steps, and no others. */
class OnShutdownMembersTest {
  interface Flushed {
    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    default void flush() {}
  }

  interface AlsoFlushed extends Flushed {}

  static class Base implements AlsoFlushed {
    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    AutoCloseable pool = () -> {};

    AutoCloseable other = () -> {};
  }

  static class Own extends Base {
    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    private void finish() {}

    void pause() {}
  }

  static class None {
    AutoCloseable pool = () -> {};

    void close() {}
  }

  private static Set<String> names(Class<?> type) {
    return OnShutdownMembers.of(type).stream().map(Member::getName).collect(Collectors.toSet());
  }

  @Test
  void of_superclassesAndInterfaces_theirMembersAreFoundToo() {
    assertEquals(Set.of("finish", "pool", "flush"), names(Own.class));
    assertEquals(Set.of("flush"), names(AlsoFlushed.class));
  }

  @Test
  void of_noAnnotation_isEmpty() {
    assertEquals(Set.of(), names(None.class));
  }

  @Test
  void of_aClass_isWhatCoreTakesOfItsInstance() {
    Set<String> steps =
        GracefulShutdown.steps(new Own()).stream()
            .map(Step::name)
            .map(name -> name.substring(name.indexOf('.') + 1))
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(steps, new TreeSet<>(names(Own.class)));
  }
}
