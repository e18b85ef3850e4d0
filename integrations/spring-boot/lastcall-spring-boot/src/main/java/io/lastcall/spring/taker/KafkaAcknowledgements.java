package io.lastcall.spring.taker;

import io.lastcall.spring.internals.SpringInternals;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * The records of a Kafka container that are not committed, where acknowledgements may come late.
 */
record KafkaAcknowledgements(MessageListenerContainer container, List<Map<?, ?>> open)
    implements LateAcknowledgements.Unacknowledged {

  /** Returns null where the container commits what its listener has returned from. */
  static @Nullable KafkaAcknowledgements of(MessageListenerContainer container) {
    Stream<?> consumers =
        container instanceof ConcurrentMessageListenerContainer<?, ?> concurrent
            ? concurrent.getContainers().stream()
            : Stream.of(container);
    List<Map<?, ?>> open = consumers.flatMap(KafkaAcknowledgements::open).toList();
    return open.isEmpty() ? null : new KafkaAcknowledgements(container, open);
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

  @Override
  public void pause() {
    if (!isEmpty()) {
      container.pause(); // an idle one would be heard of only at the end of its poll
    }
  }

  @Override
  public boolean isEmpty() {
    return open.stream().allMatch(Map::isEmpty);
  }
}
