package io.lastcall.examples.takers;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;

/** A taker that no library has: {@code lastcall.stop-first} names it. */
@SpringBootApplication
@ComponentScan(useDefaultFilters = false)
@Import(Pieces.class)
public class EngineService {
  /** Runs it. */
  public static void main(String[] arguments) {
    SpringApplication.run(EngineService.class, arguments);
  }

  @Bean
  OrdersEngine ordersEngine(Pieces pieces) {
    return new OrdersEngine(pieces);
  }

  /** Two more, of which one fails to stop, and one never returns: {@code broken=true}. */
  @Bean
  @ConditionalOnBooleanProperty("broken")
  AutoCloseable failing() {
    return () -> {
      throw new IllegalStateException("no connection");
    };
  }

  @Bean
  @ConditionalOnBooleanProperty("broken")
  AutoCloseable hanging() {
    return () -> new CountDownLatch(1).await();
  }

  /** Takes one order after the other, on a thread of its own. */
  static final class OrdersEngine implements SmartLifecycle {
    private final Pieces pieces;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean taking;
    private volatile boolean running;

    OrdersEngine(Pieces pieces) {
      this.pieces = pieces;
    }

    @Override
    public void start() {
      taking = true;
      running = true;
      new Thread(this::take, "orders").start();
    }

    private void take() {
      for (int i = 0; taking; i++) {
        pieces.work("order-" + i);
      }
      running = false;
      stopped.countDown();
    }

    @Override
    public void stop() {
      taking = false;
      try {
        boolean unused = stopped.await(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public boolean isRunning() {
      return running;
    }
  }
}
