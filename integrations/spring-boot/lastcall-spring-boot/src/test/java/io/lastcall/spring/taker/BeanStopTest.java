package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.work.WorkSource;
import jakarta.annotation.PreDestroy;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BeanStopTest {
  static class Annotated {
    @PreDestroy
    void finish() {}
  }

  static class Both extends Annotated {
    public void stop() {}
  }

  static class Neither {
    void pause() {}
  }

  @Test
  void end_isByNameThenByAnnotation() {
    assertEquals(Optional.of("finish"), BeanStop.endMethod(Annotated.class));
    assertEquals(Optional.of("stop"), BeanStop.endMethod(Both.class));
    assertEquals(Optional.empty(), BeanStop.endMethod(Neither.class));
  }

  @Test
  void preDestroyMethod_theBeansThreadsAreAwaited() throws Exception {
    AtomicBoolean awaited = new AtomicBoolean();
    Annotated bean = new Annotated();
    WorkSource source =
        BeanStop.of(bean, BeanStop.method(Annotated.class, "finish"), () -> awaited.set(true));
    source.stopTaking();
    source.finished().toCompletableFuture().get(60, TimeUnit.SECONDS);
    assertTrue(awaited.get());
  }

  @Test
  void poolThatIsShutDown_itsTaskIsAwaited() throws Exception {
    ExecutorService pool = Executors.newSingleThreadScheduledExecutor();
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean done = new AtomicBoolean();
    pool.execute(
        () -> {
          begun.countDown();
          while (!pool.isShutdown()) {
            Thread.onSpinWait();
          }
          done.set(true);
        });
    begun.await();
    WorkSource source = BeanStop.of(pool, BeanStop.method(pool.getClass(), "shutdown"), () -> {});
    source.stopTaking();
    source.finished().toCompletableFuture().get(60, TimeUnit.SECONDS);
    assertTrue(done.get());
  }
}
