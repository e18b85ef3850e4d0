package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.endpoint.MessageProducerSupport;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.support.ChannelInterceptor;
import org.springframework.messaging.support.InterceptableChannel;

/**
 * An inbound adapter of Spring Integration that listens by a client of its own. Its stop may return
 * while its messages are in work, on a thread of the client's: those are counted as they go through
 * its channel, as far as one thread handles them.
 */
final class AdapterSource {
  private AdapterSource() {}

  static WorkSource of(MessageProducerSupport adapter) {
    AtomicLong inProgress = new AtomicLong();
    if (adapter.getOutputChannel() instanceof InterceptableChannel channel) {
      channel.addInterceptor(0, new Sends(inProgress));
    }
    return WorkSource.ofBlockingStop(
        () -> {
          adapter.stop();
          Poll.until(() -> inProgress.get() == 0);
        });
  }

  private record Sends(AtomicLong inProgress) implements ChannelInterceptor {
    @Override
    public Message<?> preSend(Message<?> message, MessageChannel channel) {
      inProgress.incrementAndGet();
      return message;
    }

    @Override
    public void afterSendCompletion(
        Message<?> message, MessageChannel channel, boolean sent, @Nullable Exception e) {
      inProgress.decrementAndGet();
    }
  }
}
