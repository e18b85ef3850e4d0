package io.lastcall.examples.takers;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A taker that no library has, in each shape that people give it: {@code shape} says which. Each
 * has a thread of its own, and its stop only sets a flag.
 */
@SpringBootApplication
@EnableScheduling
@ComponentScan(useDefaultFilters = false)
@Import(Pieces.class)
public class ShapesService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(ShapesService.class, arguments);
  }

  /** Works through orders until it is told to end. */
  abstract static class Loop {
    private final Pieces pieces;
    private volatile boolean taking = true;

    Loop(Pieces pieces) {
      this.pieces = pieces;
    }

    void begin() {
      new Thread(this::take, "orders").start();
    }

    private void take() {
      for (int i = 0; taking; i++) {
        pieces.work("order-" + i);
      }
    }

    void end() {
      taking = false;
    }

    boolean isTaking() {
      return taking;
    }
  }

  @Bean(initMethod = "start")
  @ConditionalOnProperty(name = "shape", havingValue = "plainLifecycle")
  PlainLifecycle plainLifecycle(Pieces pieces) {
    return new PlainLifecycle(pieces);
  }

  static final class PlainLifecycle extends Loop implements Lifecycle {
    PlainLifecycle(Pieces pieces) {
      super(pieces);
    }

    @Override
    public void start() {
      begin();
    }

    @Override
    public void stop() {
      end();
    }

    @Override
    public boolean isRunning() {
      return isTaking();
    }
  }

  @Bean
  @ConditionalOnProperty(name = "shape", havingValue = "closeable")
  Closeable closeable(Pieces pieces) {
    return new Closeable(pieces);
  }

  static final class Closeable extends Loop implements AutoCloseable {
    Closeable(Pieces pieces) {
      super(pieces);
      begin();
    }

    @Override
    public void close() {
      end();
    }
  }

  /** Spring finds the method that ends it by its name. */
  @Bean
  @ConditionalOnProperty(name = "shape", havingValue = "destroyMethod")
  DestroyMethod destroyMethod(Pieces pieces) {
    return new DestroyMethod(pieces);
  }

  static final class DestroyMethod extends Loop {
    DestroyMethod(Pieces pieces) {
      super(pieces);
      begin();
    }

    public void shutdown() {
      end();
    }
  }

  @Bean(initMethod = "begin")
  @ConditionalOnProperty(name = "shape", havingValue = "neverEnds")
  NeverEnds neverEnds(Pieces pieces) {
    return new NeverEnds(pieces);
  }

  static final class NeverEnds extends Loop {
    NeverEnds(Pieces pieces) {
      super(pieces);
    }
  }

  @Bean(destroyMethod = "stop")
  @ConditionalOnProperty(name = "shape", havingValue = "readyLoop")
  ReadyLoop readyLoop(Pieces pieces) {
    return new ReadyLoop(pieces);
  }

  static final class ReadyLoop extends Loop {
    ReadyLoop(Pieces pieces) {
      super(pieces);
    }

    @EventListener(ApplicationReadyEvent.class)
    void ready() {
      begin();
    }

    void stop() {
      end();
    }
  }

  @Bean
  @ConditionalOnProperty(name = "shape", havingValue = "scheduled")
  Polled scheduled(Pieces pieces) {
    return new Polled(pieces);
  }

  static final class Polled {
    private final Pieces pieces;
    private int next;

    Polled(Pieces pieces) {
      this.pieces = pieces;
    }

    @Scheduled(fixedDelay = 1)
    void poll() {
      pieces.work("order-" + next);
      next++;
    }
  }
}
