package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.ManualTicker;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class FewPerPassTest {
  private final ManualTicker ticker = new ManualTicker();
  private final List<String> order = new CopyOnWriteArrayList<>();
  private CountDownLatch done = new CountDownLatch(0);

  /** Runs {@code test} on an event loop until that many tasks are done. */
  private void run(Transport transport, int tasks, Consumer<EventLoop> test)
      throws InterruptedException {
    done = new CountDownLatch(tasks);
    EventLoopGroup eventLoops = transport.eventLoops();
    try {
      EventLoop eventLoop = eventLoops.next();
      eventLoop.execute(() -> test.accept(eventLoop));
      done.await();
    } finally {
      eventLoops.shutdownGracefully(0, 1, SECONDS).sync();
    }
  }

  /** What a task executes is run in the same pass. */
  private void task(EventLoop eventLoop) {
    order.add("task");
    eventLoop.execute(
        () -> {
          order.add("rest of its pass");
          done.countDown();
        });
  }

  private void runAtOnce(Transport transport, int tasks) throws InterruptedException {
    run(
        transport,
        tasks,
        eventLoop -> {
          FewPerPass passes = new FewPerPass(eventLoop, ticker);
          for (int i = 0; i < tasks; i++) {
            passes.add(() -> task(eventLoop));
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void add_severalAtOnce_eachHasAPassOfItsOwn(Transport transport) throws InterruptedException {
    transport.assumeAvailable();
    runAtOnce(transport, FewPerPass.MANY);

    String pass = "task, rest of its pass";
    assertEquals(
        String.join(", ", Collections.nCopies(FewPerPass.MANY, pass)), String.join(", ", order));
  }

  @Test
  void add_veryMany_severalShareAPass() throws InterruptedException {
    runAtOnce(Transport.NIO, 2 * FewPerPass.MANY + 1);

    assertEquals(List.of("task", "task", "task", "rest of its pass"), order.subList(0, 4));
    assertEquals(2 * (2 * FewPerPass.MANY + 1), order.size());
  }

  /** What came meanwhile for the connection that is to end is found by the next select. */
  @Test
  void add_passTakesLong_isRunInAnother() throws InterruptedException {
    run(Transport.NIO, 1, this::addBehindALongPass);

    assertEquals(List.of("long pass", "task", "rest of its pass"), order);
  }

  private void addBehindALongPass(EventLoop eventLoop) {
    FewPerPass passes = new FewPerPass(eventLoop, ticker);
    passes.add(() -> task(eventLoop));
    ticker.advance(FewPerPass.SHORT.plusNanos(1));
    eventLoop.schedule(() -> order.add("long pass"), 0, NANOSECONDS);
  }

  @Test
  void add_passesAllTakeLong_isRunInTheEnd() throws InterruptedException {
    run(
        Transport.NIO,
        1,
        eventLoop -> {
          FewPerPass passes = new FewPerPass(eventLoop, ticker);
          passes.add(() -> task(eventLoop));
          takeLong(eventLoop, FewPerPass.LONG_PASSES);
        });

    assertEquals(FewPerPass.LONG_PASSES, order.indexOf("task"));
  }

  private void takeLong(EventLoop eventLoop, int passes) {
    if (passes == 0) {
      return;
    }
    ticker.advance(FewPerPass.SHORT.plusNanos(1));
    eventLoop.schedule(
        () -> {
          order.add("long pass");
          takeLong(eventLoop, passes - 1);
        },
        0,
        NANOSECONDS);
  }

  @Test
  void add_byATaskThatFails_allAreRun() throws InterruptedException {
    run(
        Transport.NIO,
        3,
        eventLoop -> {
          FewPerPass passes = new FewPerPass(eventLoop, ticker);
          passes.add(
              () -> {
                passes.add(() -> task(eventLoop));
                task(eventLoop);
                throw new IllegalStateException("for the test");
              });
          passes.add(() -> task(eventLoop));
        });

    assertEquals(6, order.size());
  }
}
