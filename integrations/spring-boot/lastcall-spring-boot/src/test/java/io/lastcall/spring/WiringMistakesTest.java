package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Scope;

/** Beans that are annotated for nothing: named at the start, where that can be fixed. */
@Timeout(120)
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

  static final class Worker {
    @OnShutdown(phase = Phase.DRAIN)
    void stop() {}
  }

  static final class Prototype {
    @Bean
    @Scope("prototype")
    Worker worker() {
      return new Worker();
    }
  }
}
