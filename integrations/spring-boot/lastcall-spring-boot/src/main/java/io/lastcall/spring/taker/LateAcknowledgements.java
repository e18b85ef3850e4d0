package io.lastcall.spring.taker;

import io.lastcall.work.WorkSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A container whose messages may be in work after its listener has returned: the listener returns a
 * future, or acknowledges later on. Such a container pauses at the trigger, and stops once all is
 * acknowledged: what is acknowledged after its stop comes too late, and is done again.
 */
final class LateAcknowledgements implements WorkSource {
  /** What a container has given to its listener, and has not seen acknowledged. */
  interface Unacknowledged {
    /** Has the container give nothing more, and go on with acknowledgements. */
    void pause();

    boolean isEmpty();

    /** Returns whether something will be done again, though nothing is left. */
    default boolean hasFailed() {
      return !isEmpty();
    }
  }

  private final Supplier<@Nullable Unacknowledged> known;
  private final WorkSource listeners;
  private volatile WorkSource stopping;

  /**
   * @param known asked at the trigger; null where all is acknowledged before a listener is called
   *     again
   * @param listeners stops the container
   */
  LateAcknowledgements(Supplier<@Nullable Unacknowledged> known, WorkSource listeners) {
    this.known = known;
    this.listeners = listeners;
    stopping = listeners;
  }

  @Override
  public void stopTaking() throws Exception {
    try {
      Unacknowledged messages = known.get();
      if (messages != null) {
        messages.pause();
        stopping = WorkSource.ofBlockingStop(() -> stop(messages));
      }
    } finally {
      stopping.stopTaking();
    }
  }

  @Override
  public CompletionStage<?> finished() {
    return stopping.finished();
  }

  @Override
  public boolean handBack() throws Exception {
    return stopping.handBack();
  }

  private void stop(Unacknowledged messages) throws Exception {
    Poll.until(messages::isEmpty);
    listeners.stopTaking();
    Object unused = listeners.finished().toCompletableFuture().get();
    if (messages.hasFailed()) {
      throw new IllegalStateException(
          "messages were begun, and are not acknowledged: another consumer gets them again");
    }
  }
}
