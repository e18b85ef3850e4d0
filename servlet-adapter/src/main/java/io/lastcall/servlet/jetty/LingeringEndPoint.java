package io.lastcall.servlet.jetty;

import io.lastcall.spi.Linger;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Once Jetty has closed it, it {@linkplain Linger lingers} while the server leaves. Jetty closes
 * right after a WebSocket's 1001 and after an answer that says close.
 */
abstract class LingeringEndPoint extends SocketChannelEndPoint {
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private volatile boolean lingering;

  LingeringEndPoint(
      SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
    super(channel, selector, key, scheduler);
  }

  /** Whether the server leaves. */
  abstract boolean mayLinger();

  /** Completes when the channel is closed, or its peer has had time enough to close. */
  public final CompletionStage<?> ended() {
    return closed;
  }

  /** For Jetty the connection is closed when this returns; its end may still be to come. */
  @Override
  public void doClose() {
    if (!mayLinger() || !linger()) {
      closeChannel();
    }
  }

  /** Returns whether the channel stays open for now. */
  private boolean linger() {
    after(Linger.AWAITED, () -> closed.complete(null));
    after(Linger.LIMIT, this::closeChannel);
    lingering = true;
    try {
      getChannel().shutdownOutput();
    } catch (IOException gone) {
      return false;
    }
    boolean more = Linger.discardInput(getChannel());
    if (more) {
      needsFillInterest();
    }
    return more;
  }

  private void after(Duration delay, Runnable task) {
    getScheduler().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void closeChannel() {
    super.doClose();
    closed.complete(null);
  }

  @Override
  public final boolean isOpen() {
    return super.isOpen() && !lingering;
  }

  @Override
  public final @Nullable Runnable onSelected() {
    // It takes back the interest in what is ready: in writing, too, if a write was pending, since a
    // socket whose output is shut counts as ready for that.
    Runnable work = super.onSelected();
    if (!lingering) {
      return work;
    }
    if (Linger.discardInput(getChannel())) {
      needsFillInterest();
    } else {
      closeChannel();
    }
    return null;
  }
}
