package io.lastcall.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.annotation.OnShutdown;
import io.lastcall.phase.Phase;
import jakarta.annotation.PreDestroy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;

/** Beans whose destroy method is a step, and which their context destroys too. */
@Timeout(180)
class ClosedOnceTest {
  private static final List<String> closed = new CopyOnWriteArrayList<>();

  @Test
  void shutdown_bean_isClosedOnceInThePhaseOfItsAnnotation() throws Exception {
    try (Service service = Service.start("--lastcall.propagation-delay=0s")) {
      service.port();
      service.terminate();
      assertEquals(0, service.awaitExit(), service::output);
      int queue = service.index("queue closed");
      int context = service.index("bean destroyed");
      int ledger = service.index("ledger closed");
      assertTrue(0 <= queue && queue < context && context < ledger, service::output);
      assertEquals(1, service.count("queue closed"), service::output);
      assertEquals(1, service.count("ledger closed"), service::output);
    }
  }

  @Test
  void noShutdown_contextIsClosed_closesEachBeanOnce() {
    closed.clear();
    new AnnotationConfigApplicationContext(
            LastcallAutoConfiguration.class,
            Closing.class,
            Disposed.class,
            Annotated.class,
            Stopped.class,
            Declares.class)
        .close();
    assertEquals(
        List.of("annotated", "closing", "declared", "disposed", "inferred", "nothing else"),
        closed.stream().sorted().toList());
  }

  @Test
  void noShutdown_closeFails_otherBeansAreClosedAllTheSame() {
    closed.clear();
    new AnnotationConfigApplicationContext(
            LastcallAutoConfiguration.class, Closing.class, Failing.class)
        .close();
    assertEquals(List.of("closing"), closed);
  }

  /** The step of a bean that is gone before the shutdown has nothing left to close. */
  static final class Closing implements AutoCloseable {
    @Override
    @OnShutdown(phase = Phase.DRAIN)
    public void close() {
      closed.add("closing");
    }
  }

  static final class Failing implements AutoCloseable {
    @Override
    @OnShutdown(phase = Phase.DRAIN)
    public void close() {
      throw new IllegalStateException("The test's own");
    }
  }

  static final class Disposed implements DisposableBean {
    @Override
    @OnShutdown(phase = Phase.EXIT)
    public void destroy() {
      closed.add("disposed");
    }
  }

  static final class Annotated {
    @PreDestroy
    @OnShutdown(phase = Phase.EXIT)
    private void end() {
      closed.add("annotated");
    }
  }

  /** What is no end to the context is none without a shutdown. */
  static final class Stopped implements AutoCloseable {
    @OnShutdown(phase = Phase.DRAIN)
    void stop() {
      closed.add("stopped");
    }

    @Override
    public void close() {
      closed.add("nothing else");
    }
  }

  static final class Declares {
    @Bean
    Inferred inferred() {
      return new Inferred();
    }

    @Bean(destroyMethod = "finish")
    Declared declared() {
      return new Declared();
    }
  }

  /** Spring finds {@code shutdown} by its name. */
  static final class Inferred {
    /** Ends it. */
    @OnShutdown(phase = Phase.EXIT)
    public void shutdown() {
      closed.add("inferred");
    }
  }

  static final class Declared {
    @OnShutdown(phase = Phase.EXIT)
    void finish() {
      closed.add("declared");
    }
  }
}
