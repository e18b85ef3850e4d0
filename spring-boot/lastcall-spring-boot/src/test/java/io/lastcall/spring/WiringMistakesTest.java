package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;

/** Beans that are annotated for nothing, or twice: told at the start, where they can be mended. */
@Timeout(60)
class WiringMistakesTest {
  private final Warnings warnings = new Warnings(ShutdownBeans.class);

  @AfterEach
  void close() {
    warnings.close();
  }

  @Test
  void prototypeWithAStep_isNamedOnceAtTheStart() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(LastcallAutoConfiguration.class, Prototype.class)) {
      String warning =
          "@OnShutdown on bean 'worker' (io.lastcall.spring.WiringMistakesTest$Worker) is never"
              + " called: its scope is prototype, and only singletons take part in the shutdown."
              + " Make it a singleton, or end each where it is used";
      assertEquals(List.of(warning), warnings.lines());
      assertNotSame(context.getBean("worker"), context.getBean("worker"));
      assertEquals(List.of(warning), warnings.lines());
    }
  }

  @Test
  void prototypeOfATypeThatSaysNothing_isNamedOnceItIsMade() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(LastcallAutoConfiguration.class, Hidden.class)) {
      assertEquals(List.of(), warnings.lines());
      assertNotSame(context.getBean("hidden"), context.getBean("hidden"));
      assertEquals(1, warnings.lines().size());
      assertTrue(
          warnings.lines().get(0).startsWith("@OnShutdown on bean 'hidden' ("),
          warnings.lines().get(0));
    }
  }

  @Test
  void fieldHoldsABean_isNamed() {
    try (AnnotationConfigApplicationContext context =
        new AnnotationConfigApplicationContext(
            LastcallAutoConfiguration.class, Pools.class, Closes.class)) {
      assertTrue(context.isActive());
      assertEquals(
          List.of(
              "@OnShutdown on the field pool of io.lastcall.spring.WiringMistakesTest$Closes closes"
                  + " the bean 'pool', and so does its context: twice. Remove the annotation, or"
                  + " declare the bean with @Bean(destroyMethod = \"\")"),
          warnings.lines());
    }
  }

  static final class Worker implements Runnable {
    @OnShutdown(phase = Phase.DRAIN)
    void stop() {}

    @Override
    public void run() {}
  }

  static final class Prototype {
    @Bean
    @Scope("prototype")
    Worker worker() {
      return new Worker();
    }
  }

  static final class Hidden {
    @Bean
    @Scope("prototype")
    Runnable hidden() {
      return new Worker();
    }
  }

  static final class Pool implements AutoCloseable {
    @Override
    public void close() {}
  }

  static final class Pools {
    @Bean
    Pool pool() {
      return new Pool();
    }

    @Bean(destroyMethod = "")
    Pool ours() {
      return new Pool();
    }
  }

  /** Of its three the context closes one. */
  static final class Closes {
    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    final Pool pool;

    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    final Pool ours;

    @OnShutdown(phase = Phase.CLOSE_CONNECTIONS)
    final Pool none = new Pool();

    Closes(Pool pool, Pool ours) {
      this.pool = Objects.requireNonNull(pool);
      this.ours = Objects.requireNonNull(ours);
    }
  }
}
