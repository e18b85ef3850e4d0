package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.spring.internals.SpringInternals;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.util.ClassUtils;

/** The names that the starter reaches, in the versions of the build. */
class SpringInternalsTest {
  @Test
  void classes_areThere() {
    for (String name : List.of(SpringInternals.TRIGGER_RUN, SpringInternals.STOMP)) {
      assertTrue(ClassUtils.isPresent(name, getClass().getClassLoader()), name);
    }
  }

  @Test
  void closerOfRegistries_isAListenerOfThatName() throws Exception {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.register(
          Class.forName(
              "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration"));
      context.refresh();
      assertNotNull(
          context.getBean(SpringInternals.METER_REGISTRY_CLOSER, ApplicationListener.class));
    }
  }

  @Test
  void field_thatIsThere_isReadWithoutAWord() {
    try (Warnings said = new Warnings(SpringInternals.class)) {
      ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
      pool.setTaskDecorator(task -> task);
      assertTrue(SpringInternals.TASK_DECORATOR.isIn(pool));
      assertNotNull(SpringInternals.TASK_DECORATOR.of(pool));
      assertEquals(List.of(), said.lines());
    }
  }

  @Test
  void field_thatIsMissing_isSaidOnceWithWhatIsLost() {
    class Renamed {}
    try (Warnings said = new Warnings(SpringInternals.class)) {
      assertFalse(SpringInternals.REDIS_EXECUTOR.isIn(new Renamed()));
      assertFalse(SpringInternals.REDIS_EXECUTOR.isIn(new Renamed()));
      assertEquals(
          List.of(
              Renamed.class.getName()
                  + " has no field taskExecutor here: its messages in work are not awaited"),
          said.lines());
      assertThrows(
          IllegalStateException.class, () -> SpringInternals.REDIS_EXECUTOR.of(new Renamed()));
    }
  }

  @Test
  void class_thatIsMissing_isSaidWithWhatIsLost() {
    try (Warnings said = new Warnings(SpringInternals.class)) {
      SpringInternals.checkClass("org.springframework.Renamed", "something");
      assertEquals(
          List.of("There is no class org.springframework.Renamed here: something"), said.lines());
    }
  }
}
