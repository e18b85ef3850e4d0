package io.lastcall.spring.taker;

import com.rabbitmq.client.Channel;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareMessageListener;

/**
 * A listener that acknowledges by itself, as one that returns a future does: counts what it is
 * given, until it acknowledges or rejects it. Once paused it is given nothing more: what comes then
 * stays unacknowledged, and goes to another consumer as the container closes its channels.
 * Thread-safe.
 */
class RabbitAcknowledgements
    implements ChannelAwareMessageListener, LateAcknowledgements.Unacknowledged {
  private final ChannelAwareMessageListener listener;
  private final Map<Channel, CountedChannel> channels = new ConcurrentHashMap<>();
  private volatile boolean paused;

  private RabbitAcknowledgements(ChannelAwareMessageListener listener) {
    this.listener = listener;
  }

  /** Puts one before the listener of a container that does not acknowledge itself. */
  static void watch(AbstractMessageListenerContainer container) {
    MessageListener listener = container.getMessageListener();
    if (container.getAcknowledgeMode() == AcknowledgeMode.MANUAL
        && listener instanceof ChannelAwareMessageListener own
        && !(own instanceof RabbitAcknowledgements)
        && !RabbitTaker.receivesReplies(container)) {
      container.setMessageListener(
          own instanceof ChannelAwareBatchMessageListener
              ? new OfBatches(own)
              : new RabbitAcknowledgements(own));
    }
  }

  /**
   * Returns null where the container acknowledges.
   *
   * @throws IllegalStateException if its listener does, later on, and was not watched
   */
  static @Nullable RabbitAcknowledgements of(AbstractMessageListenerContainer container) {
    MessageListener listener = container.getMessageListener();
    if (listener instanceof RabbitAcknowledgements watched) {
      return watched;
    }
    if (listener != null && listener.isAsyncReplies()) {
      throw new IllegalStateException(
          "its container was added after the start: which messages are in work is not known");
    }
    return null;
  }

  @Override
  public void onMessage(Message message, @Nullable Channel channel) throws Exception {
    CountedChannel counted = begin(List.of(message), channel);
    if (counted != null) {
      try {
        listener.onMessage(message, counted.channel());
      } catch (Throwable t) {
        counted.forget(List.of(message)); // the container rejects it, or leaves it to the broker
        throw t;
      }
    }
  }

  @Override
  public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
    CountedChannel counted = begin(messages, channel);
    if (counted != null) {
      try {
        listener.onMessageBatch(messages, counted.channel());
      } catch (Throwable t) {
        counted.forget(messages);
        throw t;
      }
    }
  }

  /** Counts before it reads the pause, which is set before what is counted is read. */
  private @Nullable CountedChannel begin(List<Message> messages, @Nullable Channel channel) {
    CountedChannel counted =
        channels.computeIfAbsent(Objects.requireNonNull(channel), this::counted);
    counted.begin(messages);
    if (paused) {
      counted.forget(messages);
      return null;
    }
    return counted;
  }

  private CountedChannel counted(Channel channel) {
    channels.values().removeIf(CountedChannel::isGone);
    return new CountedChannel(channel);
  }

  @Override
  public void containerAckMode(AcknowledgeMode mode) {
    listener.containerAckMode(mode);
  }

  @Override
  public boolean isAsyncReplies() {
    return listener.isAsyncReplies();
  }

  /** What a channel had that was lost before is with another consumer by now. */
  @Override
  public void pause() {
    channels.keySet().removeIf(channel -> !channel.isOpen());
    paused = true;
  }

  @Override
  public boolean isEmpty() {
    return channels.values().stream().allMatch(CountedChannel::isEmpty);
  }

  @Override
  public boolean hasFailed() {
    return channels.values().stream().anyMatch(CountedChannel::hasFailed);
  }

  /** A container looks at its listener's type to know whether it takes batches. */
  private static final class OfBatches extends RabbitAcknowledgements
      implements ChannelAwareBatchMessageListener {
    OfBatches(ChannelAwareMessageListener listener) {
      super(listener);
    }

    @Override
    public void onMessage(Message message, @Nullable Channel channel) throws Exception {
      super.onMessage(message, channel);
    }

    @Override
    public void onMessageBatch(List<Message> messages, @Nullable Channel channel) {
      super.onMessageBatch(messages, channel);
    }
  }
}
