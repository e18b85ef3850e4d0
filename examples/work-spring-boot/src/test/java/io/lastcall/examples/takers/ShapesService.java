package io.lastcall.examples.takers;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import jakarta.annotation.PreDestroy;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/**
 * A taker that no library has, in each shape that people give it: {@code shape} says which. Each
 * has a thread of its own, and its stop only sets a flag.
 */
@SpringBootApplication
@EnableScheduling
@EnableAsync
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
      start(this::take);
    }

    void start(Runnable loop) {
      new Thread(loop, "orders").start();
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

  /** A loop that is a task of an executor that is a bean. */
  static class Task extends Loop {
    private final Executor executor;

    Task(Pieces pieces, Executor executor) {
      super(pieces);
      this.executor = executor;
    }

    @EventListener(ApplicationReadyEvent.class)
    public void ready() {
      begin();
    }

    @Override
    void start(Runnable loop) {
      executor.execute(loop);
    }
  }

  @Bean
  @ConditionalOnProperty(name = "shape", havingValue = "onThePool")
  ExecutorService pool() {
    return Executors.newFixedThreadPool(2);
  }

  /** Spring destroys it before the pool. */
  @Bean(destroyMethod = "stop")
  @ConditionalOnProperty(name = "shape", havingValue = "onThePool")
  OnAnExecutor onThePool(Pieces pieces, ExecutorService pool) {
    return new OnAnExecutor(pieces, pool);
  }

  /** On Spring Boot's own executor. */
  @Bean(destroyMethod = "stop")
  @ConditionalOnProperty(name = "shape", havingValue = "onTheTaskExecutor")
  OnAnExecutor onTheTaskExecutor(
      Pieces pieces, @Qualifier("applicationTaskExecutor") Executor executor) {
    return new OnAnExecutor(pieces, executor);
  }

  static class OnAnExecutor extends Task {
    OnAnExecutor(Pieces pieces, Executor executor) {
      super(pieces, executor);
    }

    public void stop() {
      end();
    }
  }

  /** Its loop is a call of its own method, behind the proxy that {@code @Async} makes. */
  @Bean
  @ConditionalOnProperty(name = "shape", havingValue = "async")
  AsyncLoop async(Pieces pieces) {
    return new AsyncLoop(pieces);
  }

  static class AsyncLoop {
    private final Pieces pieces;
    private volatile boolean taking = true;

    AsyncLoop(Pieces pieces) {
      this.pieces = pieces;
    }

    @Async
    @EventListener(ApplicationReadyEvent.class)
    public void take() {
      for (int i = 0; taking; i++) {
        pieces.work("order-" + i);
      }
    }

    @PreDestroy
    void end() {
      taking = false;
    }
  }

  /** Its end fails, once it has told the loop to end. */
  @Bean(destroyMethod = "stop")
  @ConditionalOnProperty(name = "shape", havingValue = "failingEnd")
  OnAnExecutor failingEnd(Pieces pieces, @Qualifier("applicationTaskExecutor") Executor executor) {
    return new OnAnExecutor(pieces, executor) {
      @Override
      public void stop() {
        super.stop();
        throw new IllegalStateException("no end");
      }
    };
  }

  /** Nothing but an interrupt ends it. */
  @Bean
  @ConditionalOnProperty(name = "shape", havingValue = "endlessTask")
  Task endlessTask(Pieces pieces, @Qualifier("applicationTaskExecutor") Executor executor) {
    return new Task(pieces, executor);
  }

  /** A daemon whose author cannot have meant that a piece is cut. */
  @Bean(initMethod = "begin")
  @ConditionalOnProperty(name = "shape", havingValue = "daemon")
  Daemon daemon(Pieces pieces) {
    return new Daemon(pieces);
  }

  static final class Daemon extends Loop {
    Daemon(Pieces pieces) {
      super(pieces);
    }

    @Override
    void start(Runnable loop) {
      Thread thread = new Thread(loop, "orders");
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Bean(initMethod = "begin")
  @ConditionalOnProperty(name = "shape", havingValue = "virtual")
  Virtual virtual(Pieces pieces) {
    return new Virtual(pieces);
  }

  static final class Virtual extends Loop {
    Virtual(Pieces pieces) {
      super(pieces);
    }

    @PreDestroy
    @Override
    void end() {
      super.end();
    }

    @Override
    void start(Runnable loop) {
      try {
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, loop);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Between two runs its thread has no code of the application. */
  @Bean(initMethod = "begin")
  @ConditionalOnProperty(name = "shape", havingValue = "ownScheduler")
  OwnScheduler ownScheduler(Pieces pieces) {
    return new OwnScheduler(pieces);
  }

  static final class OwnScheduler {
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();
    private final Polled polled;

    OwnScheduler(Pieces pieces) {
      polled = new Polled(pieces);
    }

    void begin() {
      ScheduledFuture<?> unused =
          scheduler.scheduleWithFixedDelay(polled::poll, 3, 1, TimeUnit.SECONDS);
    }

    @PreDestroy
    void end() {
      scheduler.shutdown();
    }
  }

  /** A library's thread has the piece, and the library's own stop interrupts it. */
  @Bean(destroyMethod = "stop")
  @ConditionalOnProperty(name = "shape", havingValue = "lent")
  HashedWheelTimer wheel() {
    return new HashedWheelTimer();
  }

  @Bean
  @ConditionalOnProperty(name = "shape", havingValue = "lent")
  Lent lent(Pieces pieces, HashedWheelTimer wheel) {
    return new Lent(pieces, wheel);
  }

  static final class Lent implements TimerTask {
    private final Polled polled;

    Lent(Pieces pieces, HashedWheelTimer wheel) {
      polled = new Polled(pieces);
      wheel.newTimeout(this, 1, TimeUnit.SECONDS);
    }

    @Override
    public void run(Timeout timeout) {
      polled.poll();
      timeout.timer().newTimeout(this, 1, TimeUnit.MILLISECONDS);
    }
  }

  /** Has pieces of a scheduler, and a daemon beside it that pauses between two refreshes. */
  @Bean(initMethod = "begin")
  @ConditionalOnProperty(name = "refreshing")
  Refreshing refreshing() {
    return new Refreshing();
  }

  static final class Refreshing {
    void begin() {
      Thread thread = new Thread(this::refresh, "refreshing");
      thread.setDaemon(true);
      thread.start();
    }

    private void refresh() {
      while (true) {
        try {
          TimeUnit.MINUTES.sleep(1);
        } catch (InterruptedException e) {
          return;
        }
      }
    }
  }
}
