package io.lastcall.spring.taker;

import io.lastcall.spring.internals.SpringInternals;
import io.lastcall.work.WorkSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * A Kafka container whose records may be in work after its listener has returned: the listener
 * returns a future, or acknowledges later on. Such a container pauses at the trigger, and stops
 * once all is acknowledged: what is acknowledged after its stop is not committed, and is done
 * again.
 */
final class KafkaAcknowledgements implements WorkSource {
  private final MessageListenerContainer container;
  private final WorkSource listeners;
  private volatile WorkSource stopping;

  /**
   * @param listeners stops the container
   */
  KafkaAcknowledgements(MessageListenerContainer container, WorkSource listeners) {
    this.container = container;
    this.listeners = listeners;
    stopping = listeners;
  }

  @Override
  public void stopTaking() throws Exception {
    List<Map<?, ?>> open = consumers().flatMap(KafkaAcknowledgements::open).toList();
    if (!open.isEmpty()) {
      stopping = WorkSource.ofBlockingStop(() -> stop(open));
    }
    stopping.stopTaking();
  }

  @Override
  public CompletionStage<?> finished() {
    return stopping.finished();
  }

  @Override
  public boolean handBack() throws Exception {
    return stopping.handBack();
  }

  private void stop(List<Map<?, ?>> open) throws Exception {
    if (!areEmpty(open)) {
      container.pause(); // an idle one would be heard of only at the end of its poll
    }
    Poll.until(() -> areEmpty(open));
    listeners.stopTaking();
    Object unused = listeners.finished().toCompletableFuture().get();
    if (!areEmpty(open)) {
      throw new IllegalStateException(
          "records were begun as the container stopped, and are not acknowledged: another consumer"
              + " gets them again");
    }
  }

  private static boolean areEmpty(List<Map<?, ?>> open) {
    return open.stream().allMatch(Map::isEmpty);
  }

  private Stream<?> consumers() {
    return container instanceof ConcurrentMessageListenerContainer<?, ?> concurrent
        ? concurrent.getContainers().stream()
        : Stream.of(container);
  }

  /** Returns the offsets that a consumer has not committed, by partition, if it tells of them. */
  private static Stream<Map<?, ?>> open(Object consumer) {
    return consumer instanceof KafkaMessageListenerContainer<?, ?> kafka
            && kafka.isRunning()
            && SpringInternals.KAFKA_UNACKNOWLEDGED.isIn(kafka)
            && SpringInternals.KAFKA_UNACKNOWLEDGED.of(kafka) instanceof Map<?, ?> offsets
        ? Stream.of(offsets)
        : Stream.of();
  }
}
