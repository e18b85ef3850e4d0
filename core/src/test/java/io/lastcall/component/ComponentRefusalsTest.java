package io.lastcall.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepContext;
import io.lastcall.plan.Durations;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"unused", "UnusedMethod", "UnusedVariable"}) // found by reflection
class ComponentRefusalsTest {
  @Test
  void steps_ofMethodWithParameters_areRefused() {
    class Wrong {
      @OnShutdown(phase = Phase.DRAIN)
      void stop(String how, int often) {}
    }
    assertRefused(
        new Wrong(), "stop", "it takes (String, int); allowed: no parameter, or one StepContext");
  }

  interface Stops<T> {
    @OnShutdown(phase = Phase.DRAIN)
    void stop(T how);
  }

  @Test
  void steps_ofMethodWithATypeParameter_areRefused() {
    class Consumer implements Stops<StepContext> {
      @Override
      public void stop(StepContext context) {}
    }
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> Components.steps(new Consumer()));
    assertEquals(
        "@OnShutdown on io.lastcall.component.ComponentRefusalsTest$Stops.stop: it takes (Object);"
            + " allowed: no parameter, or one StepContext",
        refusal.getMessage());
  }

  @Test
  void steps_ofMethodWithOtherResult_areRefused() {
    class Wrong {
      @OnShutdown(phase = Phase.DRAIN)
      String stop() {
        return "stopped";
      }
    }
    assertRefused(
        new Wrong(),
        "stop",
        "it returns java.lang.String; allowed: void, CompletionStage, AutoCloseable,"
            + " ExecutorService");
  }

  @Test
  void steps_ofFieldThatCannotBeClosed_areRefused() {
    class Wrong {
      @OnShutdown(phase = Phase.DRAIN)
      final String name = "x";
    }
    assertRefused(
        new Wrong(), "name", "it is a java.lang.String; allowed: AutoCloseable, ExecutorService");
  }

  @Test
  void steps_withUnparsableTimeout_areRefused() {
    class Wrong {
      @OnShutdown(phase = Phase.DRAIN, timeout = "5")
      void stop() {}
    }
    assertRefused(
        new Wrong(),
        "stop",
        "timeout=5: the unit is missing; allowed: a duration with unit such as 30s, 500ms, 1m30s"
            + " or PT30S, from 0s to 168h");
  }

  @Test
  void steps_withAPlaceholderInTheTimeout_haveWhatItStandsFor() {
    class Outbox {
      @OnShutdown(phase = Phase.DRAIN, timeout = "${flush}")
      void flush() {}
    }
    assertRefused(
        new Outbox(),
        "flush",
        "timeout=${flush}: it is not a duration; allowed: " + Durations.ALLOWED);
    List<Step> steps = Components.steps(new Outbox(), text -> text.replace("${flush}", "5s"));
    assertEquals(Optional.of(Duration.ofSeconds(5)), steps.get(0).timeout());
    assertEquals(Optional.empty(), Components.steps(new Outbox(), text -> "").get(0).timeout());
  }

  @Test
  void steps_withATimeoutOfZero_areRefused() {
    class Wrong {
      @OnShutdown(phase = Phase.DRAIN, timeout = "0s")
      void stop() {}
    }
    assertRefused(
        new Wrong(), "stop", "timeout=0s: nothing is done in no time; allowed: more than 0s");
  }

  @Test
  void steps_withALineBreakInTheName_areRefused() {
    class Wrong {
      @OnShutdown(phase = Phase.DRAIN, name = "pool\nqueue")
      void stop() {}
    }
    assertRefused(
        new Wrong(), "stop", "name=pool\nqueue holds control characters; allowed: printable text");
  }

  @Test
  void steps_ofAClassInPlaceOfItsInstance_areRefused() {
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> Components.steps(StaticMembers.class));
    assertEquals(
        "component=class io.lastcall.component.ComponentRefusalsTest$StaticMembers has no members to call;"
            + " allowed: an instance of it",
        refusal.getMessage());
  }

  @Test
  void steps_ofStaticMembers_areRefused() {
    assertRefused(new StaticMembers(), "POOL", "it is static; allowed: a member of the instance");
  }

  @Test
  void steps_ofAPhaseThisVersionDoesNotKnow_areRefused() throws Exception {
    class Newer {
      void stop() {}
    }
    OnShutdown annotation =
        (OnShutdown)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OnShutdown.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("phase")) {
                    throw new EnumConstantNotPresentException(Phase.class, "HIBERNATE");
                  }
                  return method.getDefaultValue();
                });
    AnnotatedMember member =
        new AnnotatedMember(new Newer(), Newer.class.getDeclaredMethod("stop"), annotation);
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> member.step(UnaryOperator.identity()));
    assertEquals(
        "@OnShutdown on %s.stop: phase=HIBERNATE is unknown; allowed: KEEP_SERVING, FAIL_READINESS,"
                .formatted(Newer.class.getName())
            + " DRAIN, CLOSE_CONNECTIONS, EXIT",
        refusal.getMessage());
  }

  @Test
  void steps_ofAMemberThatItsModuleDoesNotOpen_areRefused() throws Exception {
    class Marked {
      @OnShutdown(phase = Phase.DRAIN)
      void stop() {}
    }
    OnShutdown annotation =
        Objects.requireNonNull(
            Marked.class.getDeclaredMethod("stop").getAnnotation(OnShutdown.class));
    AnnotatedMember member =
        new AnnotatedMember(
            Thread.currentThread(), Thread.class.getDeclaredMethod("exit"), annotation);
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> member.step(UnaryOperator.identity()));
    String message = String.valueOf(refusal.getMessage());
    assertTrue(
        message.startsWith("@OnShutdown on java.lang.Thread.exit: it cannot be reached: "),
        message);
    assertTrue(
        message.endsWith(
            "; allowed: a public member of an exported package, or 'opens java.lang to"
                + " io.lastcall.core'"),
        message);
  }

  static class StaticMembers {
    @OnShutdown(phase = Phase.DRAIN)
    static final AutoCloseable POOL = () -> {};
  }

  private static void assertRefused(Object component, String member, String message) {
    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> Components.steps(component));
    assertEquals(
        "@OnShutdown on %s.%s: %s".formatted(component.getClass().getName(), member, message),
        refusal.getMessage());
  }
}
