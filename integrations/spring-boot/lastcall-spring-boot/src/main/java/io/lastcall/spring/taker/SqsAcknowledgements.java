package io.lastcall.spring.taker;

import io.awspring.cloud.sqs.listener.ContainerOptions;
import io.awspring.cloud.sqs.listener.FifoSqsComponentFactory;
import io.awspring.cloud.sqs.listener.MessageListenerContainer;
import io.awspring.cloud.sqs.listener.SqsMessageListenerContainer;
import io.awspring.cloud.sqs.listener.StandardSqsComponentFactory;
import io.awspring.cloud.sqs.listener.acknowledgement.BatchingAcknowledgementProcessor;
import io.lastcall.time.Deadline;
import io.lastcall.time.Ticker;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.messaging.Message;

/**
 * The acknowledgements that containers of SQS send in batches. Up to Spring Cloud AWS 4.1.0 a
 * container that stops does not send its last, incomplete batch: it waits for 20 s, and these
 * messages come again (awspring/spring-cloud-aws#1661, #1664). Here it is sent. Thread-safe.
 */
final class SqsAcknowledgements {
  private static final Duration AGAIN = Duration.ofMillis(10);
  private static final AtomicInteger NONE = new AtomicInteger();

  private final Map<MessageListenerContainer<?>, AtomicInteger> open = new ConcurrentHashMap<>();

  /** Has a container send all; not one that runs, or whose components are its own. */
  <T> void complete(SqsMessageListenerContainer<T> container) {
    if (container.isRunning() || !container.getContainerComponentFactories().isEmpty()) {
      return;
    }
    AtomicInteger unacknowledged = new AtomicInteger();
    open.put(container, unacknowledged);
    container.setComponentFactories(
        List.of(
            new FifoSqsComponentFactory<T>() {
              @Override
              protected BatchingAcknowledgementProcessor<T> createBatchingProcessorInstance() {
                return new CompletedBatches<>(unacknowledged);
              }
            },
            new StandardSqsComponentFactory<T>() {
              @Override
              protected BatchingAcknowledgementProcessor<T> createBatchingProcessorInstance() {
                return new CompletedBatches<>(unacknowledged);
              }
            }));
  }

  /** Fails if a container has stopped, and SQS does not know of a message that it processed. */
  void requireSent(Collection<? extends MessageListenerContainer<?>> containers) {
    int unacknowledged =
        containers.stream().mapToInt(each -> open.getOrDefault(each, NONE).get()).sum();
    if (unacknowledged > 0) {
      throw new IllegalStateException(
          "SQS has no acknowledgement of %d processed messages: they come again"
              .formatted(unacknowledged));
    }
  }

  /** Batches that are all sent before it stops. */
  private static final class CompletedBatches<T> extends BatchingAcknowledgementProcessor<T> {
    private final AtomicInteger unacknowledged;
    private Duration timeout = Duration.ZERO;

    CompletedBatches(AtomicInteger unacknowledged) {
      this.unacknowledged = unacknowledged;
    }

    @Override
    protected void doConfigure(ContainerOptions<?, ?> options) {
      super.doConfigure(options);
      timeout = options.getAcknowledgementShutdownTimeout();
    }

    /** Called when no message is in work: while it runs, it sends what there is by its interval. */
    @Override
    public void stop() {
      Deadline end = Deadline.after(timeout, Ticker.system());
      while (isRunning()
          && unacknowledged.get() > 0
          && !end.hasPassed()
          && !Thread.currentThread().isInterrupted()) {
        end.atMost(AGAIN).park(this);
      }
      super.stop();
    }

    @Override
    protected CompletableFuture<Void> doOnAcknowledge(Message<T> message) {
      unacknowledged.incrementAndGet();
      return super.doOnAcknowledge(message);
    }

    @Override
    protected CompletableFuture<Void> sendToExecutor(Collection<Message<T>> messages) {
      return super.sendToExecutor(messages)
          .thenRun(() -> unacknowledged.addAndGet(-messages.size()));
    }
  }
}
