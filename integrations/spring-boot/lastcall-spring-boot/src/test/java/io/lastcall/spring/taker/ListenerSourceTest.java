package io.lastcall.spring.taker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.SmartLifecycle;
import org.springframework.jms.config.JmsListenerEndpointRegistry;

@Timeout(60)
class ListenerSourceTest {
  /** Spring's own {@code stop(callback)} never calls back then. */
  @Test
  void stopTaking_registryWithoutContainers_isFinishedAtOnce() throws Exception {
    List<Boolean> told = new ArrayList<>();
    ListenerSource source = new ListenerSource(new JmsListenerEndpointRegistry(), told::add);
    source.stopTaking();
    assertTrue(source.finished().toCompletableFuture().isDone());
    assertTrue(told.isEmpty());
  }

  /** As a JMS connection does, and a share consumer of Kafka: each is in a message as it stops. */
  private static final class Blocking implements SmartLifecycle {
    private final CountDownLatch message = new CountDownLatch(1);
    private volatile boolean running = true;

    @Override
    public void start() {
      running = true;
    }

    @Override
    public void stop() {
      running = false;
      try {
        message.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public boolean isRunning() {
      return running;
    }
  }

  @Test
  void stopTaking_stopThatReturnsAfterItsMessage_holdsNoOther() throws Exception {
    Blocking first = new Blocking();
    Blocking second = new Blocking();
    JointSource both =
        new JointSource(
            () ->
                List.of(new ListenerSource(first, on -> {}), new ListenerSource(second, on -> {})));
    both.stopTaking();
    Awaitility.await().until(() -> !first.isRunning() && !second.isRunning());
    second.message.countDown();
    assertFalse(both.finished().toCompletableFuture().isDone());
    first.message.countDown();
    Object unused = both.finished().toCompletableFuture().get(30, TimeUnit.SECONDS);
  }
}
