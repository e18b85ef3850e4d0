package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.connection.LongLivedConnection;
import io.lastcall.testing.Background;
import io.lastcall.testing.ManualTicker;
import io.lastcall.time.Deadline;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;

/** CLOSE_CONNECTIONS, with a clock that a test turns: who is here has been told to close. */
final class ClosingPhase {
  private final ManualTicker ticker = new ManualTicker();
  private final EmbeddedChannel channel;
  private final Background<Boolean> closing;

  ClosingPhase(ConnectionControl connections, EmbeddedChannel channel) {
    this.channel = channel;
    Deadline deadline = Deadline.after(LongLivedConnection.ANSWER.multipliedBy(10), ticker);
    closing = Background.run(() -> connections.closeAll(Duration.ZERO, deadline));
    ticker.awaitParked(closing.thread());
    channel.runPendingTasks();
  }

  /** Nobody is left. */
  void assertOver() {
    assertTrue(closing.result());
  }

  /** The time for an answer passes, and nobody is left. */
  void assertGivenUp() {
    ticker.advance(LongLivedConnection.ANSWER);
    assertOver();
    channel.runPendingTasks();
  }
}
