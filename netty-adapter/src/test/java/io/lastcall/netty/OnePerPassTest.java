package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class OnePerPassTest {
  private static final int TASKS = 3;

  private final List<String> order = new CopyOnWriteArrayList<>();
  private final CountDownLatch done = new CountDownLatch(TASKS);

  /** Runs {@code test} on an event loop until all tasks are done. */
  private void run(Transport transport, Consumer<EventLoop> test) throws InterruptedException {
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

  @ParameterizedTest
  @EnumSource
  void add_severalAtOnce_eachHasAPassOfItsOwn(Transport transport) throws InterruptedException {
    transport.assumeAvailable();
    run(
        transport,
        eventLoop -> {
          OnePerPass passes = new OnePerPass(eventLoop);
          for (int i = 0; i < TASKS; i++) {
            passes.add(() -> task(eventLoop));
          }
        });

    String pass = "task, rest of its pass";
    assertEquals(String.join(", ", pass, pass, pass), String.join(", ", order));
  }

  @Test
  void add_byATaskThatFails_allAreRun() throws InterruptedException {
    run(
        Transport.NIO,
        eventLoop -> {
          OnePerPass passes = new OnePerPass(eventLoop);
          passes.add(
              () -> {
                passes.add(() -> task(eventLoop));
                task(eventLoop);
                throw new IllegalStateException("for the test");
              });
          passes.add(() -> task(eventLoop));
        });

    assertEquals(2 * TASKS, order.size());
  }
}
