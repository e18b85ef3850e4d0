package io.lastcall.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages to the application. A response written during {@code fireChannelRead} has usually
 * left when that returns: this checks then, which saves a listener, and its locks, for each
 * response. Event loop only.
 */
final class Delivery {
  private boolean running;
  private @Nullable Exchange waiting;
  private @Nullable ChannelPromise write;

  void run(ChannelHandlerContext ctx, Object message) {
    running = true;
    try {
      ctx.fireChannelRead(message);
    } finally {
      running = false;
      notifyWaiting();
    }
  }

  private void notifyWaiting() {
    Exchange exchange = waiting;
    ChannelPromise end = write;
    if (exchange != null && end != null) {
      waiting = null;
      write = null;
      if (end.isDone()) {
        exchange.left(end.isSuccess());
      } else {
        end.addListener(exchange);
      }
    }
  }

  /**
   * Notifies {@code exchange} when {@code end}, the write of its response's end, is done. If a
   * delivery is running, the check waits until that has returned.
   */
  void notifyAfter(Exchange exchange, ChannelPromise end) {
    if (running && waiting == null) {
      waiting = exchange;
      write = end;
    } else {
      end.addListener(exchange);
    }
  }
}
