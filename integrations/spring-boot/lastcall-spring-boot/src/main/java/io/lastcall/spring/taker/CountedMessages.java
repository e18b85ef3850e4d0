package io.lastcall.spring.taker;

import io.lastcall.work.Work;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.MessageHandler;
import org.springframework.messaging.support.ExecutorChannelInterceptor;

/**
 * Counts what a queue in memory holds, and what its consumer has in work: a message is open from
 * before it is put in until it is handled, so that no moment between the two is idle. Units are
 * alike, so each that ends is the oldest. Thread-safe.
 */
final class CountedMessages implements ExecutorChannelInterceptor {
  private final Supplier<Work> work;
  private final Queue<Work.Unit> open = new ConcurrentLinkedQueue<>();

  /** Whether a poller's consumer handles what is received, and not who calls {@code receive}. */
  private volatile boolean consumed;

  /**
   * @param work not asked for before the first message: the report has a line for each
   */
  CountedMessages(Supplier<Work> work) {
    this.work = work;
  }

  void consumed() {
    consumed = true;
  }

  @Override
  public Message<?> preSend(Message<?> message, MessageChannel channel) {
    open.add(work.get().begin("a message"));
    return message;
  }

  @Override
  public void afterSendCompletion(
      Message<?> message, MessageChannel channel, boolean sent, @Nullable Exception e) {
    if (!sent) {
      endOne();
    }
  }

  @Override
  public void afterReceiveCompletion(
      @Nullable Message<?> message, MessageChannel channel, @Nullable Exception e) {
    if (message != null && !consumed) {
      endOne();
    }
  }

  @Override
  public void afterMessageHandled(
      Message<?> message, MessageChannel channel, MessageHandler handler, @Nullable Exception e) {
    endOne();
  }

  private void endOne() {
    Work.Unit oldest = open.poll();
    if (oldest != null) {
      oldest.close();
    }
  }
}
