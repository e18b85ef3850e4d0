package io.lastcall.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import io.lastcall.phase.Step;
import io.lastcall.phase.StepContext;
import io.lastcall.phase.Trigger;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"unused", "UnusedMethod", "UnusedVariable"}) // found by reflection
class ComponentInheritanceTest {
  private static final List<String> CALLS = Collections.synchronizedList(new ArrayList<>());

  private final List<String> calls = CALLS;

  ComponentInheritanceTest() {
    CALLS.clear();
  }

  interface Leaves {
    @OnShutdown(phase = Phase.KEEP_SERVING)
    void leave();
  }

  interface LeavesLate extends Leaves {
    @Override
    @OnShutdown(phase = Phase.DRAIN)
    void leave();
  }

  static class Base {
    @OnShutdown(phase = Phase.DRAIN)
    void stop() {
      CALLS.add("base");
    }

    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    AutoCloseable pool() {
      return () -> CALLS.add("base pool");
    }

    @OnShutdown(phase = Phase.EXIT)
    private void flush() {
      CALLS.add("base flush");
    }
  }

  record Pool(@OnShutdown(phase = Phase.CLOSE_CONNECTIONS) AutoCloseable connections) {}

  @Test
  void run_overrideWithoutAnnotation_isCalledOnceInThePlaceOfTheAnnotatedOne() throws Exception {
    class Derived extends Base {
      @Override
      void stop() {
        calls.add("derived");
      }
    }
    run(new Derived());
    assertEquals(List.of("base flush", "base pool", "derived"), sortedCalls());
  }

  @Test
  void run_overrideWithANarrowerResult_isCalledOnceInSpiteOfItsBridge() throws Exception {
    class Closer implements AutoCloseable {
      @Override
      public void close() {
        calls.add("derived pool");
      }
    }
    class Derived extends Base {
      @Override
      @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
      Closer pool() {
        return new Closer();
      }
    }
    run(new Derived());
    assertEquals(List.of("base", "base flush", "derived pool"), sortedCalls());
  }

  @Test
  void run_privateMethodsOfOneName_areEachCalled() throws Exception {
    class Derived extends Base {
      @OnShutdown(phase = Phase.EXIT)
      private void flush() {
        calls.add("derived flush");
      }
    }
    run(new Derived());
    assertEquals(List.of("base", "base flush", "base pool", "derived flush"), sortedCalls());
  }

  @Test
  void steps_subinterfaceRedeclares_itsAnnotationCountsInWhateverOrder() {
    class First implements Leaves, LeavesLate {
      @Override
      public void leave() {}
    }
    class Second implements LeavesLate, Leaves {
      @Override
      public void leave() {}
    }
    assertEquals(List.of(Phase.DRAIN), phases(new First()));
    assertEquals(List.of(Phase.DRAIN), phases(new Second()));
  }

  @Test
  void run_defaultMethodOfAnInterface_isCalled() throws Exception {
    interface Flushes {
      @OnShutdown(phase = Phase.EXIT)
      default void flush() {
        CALLS.add("flushed");
      }
    }
    class Telemetry implements Flushes {}
    run(new Telemetry());
    assertEquals(List.of("flushed"), calls);
  }

  @Test
  void run_annotatedRecordComponent_isClosedOnce() throws Exception {
    run(new Pool(() -> calls.add("closed")));
    assertEquals(List.of("closed"), calls);
  }

  @Test
  void run_recordComponentWithItsOwnAccessor_isClosedOnce() throws Exception {
    record Guarded(@OnShutdown(phase = Phase.CLOSE_CONNECTIONS) AutoCloseable pool) {
      @Override
      public AutoCloseable pool() {
        throw new IllegalStateException("not for everybody");
      }
    }
    run(new Guarded(() -> calls.add("closed")));
    assertEquals(List.of("closed"), calls);
  }

  @Test
  void run_finalClass_isNoDifferent() throws Exception {
    final class Orders {
      @OnShutdown(phase = Phase.DRAIN)
      private void stop() {
        calls.add("stopped");
      }
    }
    run(new Orders());
    assertEquals(List.of("stopped"), calls);
  }

  @Test
  void run_jdkProxy_isCalledThroughTheProxyAndNamedByItsInterface() throws Exception {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          calls.add("through " + method.getName());
          return null;
        };
    Object proxy =
        Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Leaves.class, LeavesLate.class}, handler);
    List<Step> steps = Components.steps(proxy);
    assertEquals(List.of("LeavesLate.leave"), steps.stream().map(Step::name).toList());
    run(proxy);
    assertEquals(List.of("through leave"), calls);
  }

  @Test
  void run_generatedSubclass_isCalledThroughItAndNamedByWhatItProxies() throws Exception {
    class Orders {
      @OnShutdown(phase = Phase.DRAIN)
      void stop() {
        calls.add("stopped");
      }
    }
    // As CGLIB makes them: every method overridden, without its annotations.
    class Orders$$Generated$$0 extends Orders {
      @Override
      void stop() {
        calls.add("advice");
        super.stop();
      }
    }
    Object proxy = new Orders$$Generated$$0();
    assertTrue(Components.steps(proxy).get(0).name().endsWith("Orders.stop"));
    run(proxy);
    assertEquals(List.of("advice", "stopped"), calls);
  }

  private static List<Phase> phases(Object component) {
    return Components.steps(component).stream().map(Step::phase).toList();
  }

  private static List<String> sortedCalls() {
    return CALLS.stream().sorted().toList();
  }

  private static void run(Object component) throws Exception {
    Trigger trigger = new Trigger(Trigger.Kind.STOP_SIGNAL, "SIGTERM");
    Deadline deadline = Deadline.after(Duration.ofMinutes(1), Ticker.system());
    for (Step step : Components.steps(component)) {
      step.action().run(new StepContext(step.phase(), trigger, deadline));
    }
  }
}
