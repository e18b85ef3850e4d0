package io.lastcall.spring.taker;

import io.lastcall.spring.internals.SpringInternals;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ConcurrentMessageListenerContainer;
import org.springframework.kafka.listener.ContainerProperties.AckMode;
import org.springframework.kafka.listener.KafkaMessageListenerContainer;
import org.springframework.kafka.listener.MessageListenerContainer;

/**
 * The records of a Kafka container that are not committed, where acknowledgements may come late.
 */
record KafkaAcknowledgements(MessageListenerContainer container, List<Map<?, ?>> open)
    implements LateAcknowledgements.Unacknowledged {

  /** Returns null where the container commits what its listener has returned from. */
  static @Nullable KafkaAcknowledgements of(MessageListenerContainer container) {
    List<Map<?, ?>> open =
        of(container, SpringInternals.KAFKA_UNACKNOWLEDGED)
            .filter(Map.class::isInstance)
            .<Map<?, ?>>map(offsets -> (Map<?, ?>) offsets)
            .toList();
    return open.isEmpty() ? null : new KafkaAcknowledgements(container, open);
  }

  /** Returns a field of each consumer of a container that runs. */
  private static Stream<Object> of(MessageListenerContainer container, SpringInternals field) {
    Stream<?> consumers =
        container instanceof ConcurrentMessageListenerContainer<?, ?> concurrent
            ? concurrent.getContainers().stream()
            : Stream.of(container);
    return consumers.flatMap(
        each ->
            each instanceof KafkaMessageListenerContainer<?, ?> kafka
                    && kafka.isRunning()
                    && field.isIn(kafka)
                ? Stream.ofNullable(field.of(kafka))
                : Stream.of());
  }

  /**
   * Returns what consumers have yet to commit, where a listener acknowledges by itself, on another
   * thread perhaps: nothing tells of those that it has not acknowledged.
   */
  static List<Collection<?>> late(MessageListenerContainer container) {
    AckMode mode = container.getContainerProperties().getAckMode();
    return mode == AckMode.MANUAL || mode == AckMode.MANUAL_IMMEDIATE
        ? of(container, SpringInternals.KAFKA_ACKNOWLEDGED)
            .filter(Collection.class::isInstance)
            .<Collection<?>>map(acknowledged -> (Collection<?>) acknowledged)
            .toList()
        : List.of();
  }

  /**
   * Returns if nothing was acknowledged after consumers had gone.
   *
   * @throws IllegalStateException if something was
   */
  static void refuse(List<Collection<?>> late) {
    int number = late.stream().mapToInt(Collection::size).sum();
    if (number > 0) {
      throw new IllegalStateException(
          "acknowledged by another thread after the container's stop, so another consumer gets them"
              + " again: "
              + number
              + "; with asyncAcks of its ContainerProperties it stops after them");
    }
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
