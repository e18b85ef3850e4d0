package io.lastcall.netty;

import io.lastcall.time.Deadline;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.DefaultMaxMessagesRecvByteBufAllocator;
import io.netty.channel.MaxMessagesRecvByteBufAllocator;
import io.netty.channel.nio.AbstractNioChannel.NioUnsafe;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sees each connection as the listener accepts it. Closes the listener on the accepting thread, as
 * soon as our own connection has come and the queue is empty: any gap between the last accept and
 * the close would reset a client. Event loop only, but for what is said otherwise.
 */
final class Accepts extends ChannelInboundHandlerAdapter {
  /** For an event loop that does what event loops are for, a pass of it takes microseconds. */
  private static final Duration FOLLOW = Duration.ofSeconds(10);

  private final Channel listener;
  private final Consumer<Channel> eachAccepted;

  /** The client address of our own connection. */
  private @Nullable SocketAddress own;

  /** Ours: no event loop has it, and no pipeline of the application is set up for it. */
  private @Nullable Channel last;

  /** By the read that is going on. */
  private int accepted;

  private Accepts(Channel listener, Consumer<Channel> eachAccepted) {
    this.listener = listener;
    this.eachAccepted = eachAccepted;
  }

  /**
   * Follows what the listener accepts from now on, from any thread.
   *
   * @param eachAccepted is given each connection before its pipeline is set up
   */
  static Accepts follow(Channel listener, Consumer<Channel> eachAccepted) {
    Accepts accepts = new Accepts(listener, eachAccepted);
    readOnWhateverIsRead(listener);
    listener.pipeline().addFirst(accepts);
    // The pipeline skips the handler until the event loop has called handlerAdded.
    if (!listener.eventLoop().inEventLoop()
        && !listener.eventLoop().submit(() -> {}).awaitUninterruptibly(FOLLOW.toMillis())) {
      throw new IllegalStateException(
          "The event loop of " + listener + " is blocked: connections cannot be followed");
    }
    return accepts;
  }

  /**
   * Netty 4.2's epoll takes the descriptor that an accept returns for a number of bytes, and ends
   * the read after each: connections queued after our own would be reset. How many a read may
   * accept does not change by this. In time for the first read, which keeps it.
   */
  private static void readOnWhateverIsRead(Channel listener) {
    if (listener.config().getRecvByteBufAllocator()
        instanceof DefaultMaxMessagesRecvByteBufAllocator reads) {
      reads.respectMaybeMoreData(false);
    }
  }

  /**
   * The connection from {@code address} is the last one that the listener accepts, together with
   * those that are queued after it by then. Blocks, off the event loop.
   */
  void endWith(SocketAddress address, Deadline deadline) {
    // Between two reads: one that is going on has the limit that it began with.
    listener
        .eventLoop()
        .submit(() -> beginEnd(address))
        .awaitUninterruptibly(deadline.remaining().toNanos(), TimeUnit.NANOSECONDS);
  }

  private void beginEnd(SocketAddress address) {
    if (listener.config().getRecvByteBufAllocator()
        instanceof MaxMessagesRecvByteBufAllocator all) {
      // One read accepts all that is queued.
      all.maxMessagesPerRead(Integer.MAX_VALUE);
    }
    own = address;
    // An application may have switched accepting off.
    listener.config().setAutoRead(true);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    accepted++;
    if (message instanceof Channel connection) {
      if (own != null && own.equals(connection.remoteAddress())) {
        last = connection;
        return;
      }
      TrackedConnection.accepted(connection);
      eachAccepted.accept(connection);
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    int before = accepted;
    accepted = 0;
    if (last != null) {
      closeIfNoneQueued(last, before);
    }
    ctx.fireChannelReadComplete();
  }

  /** Only NIO passes on the accepted connections after its last accept. */
  private void closeIfNoneQueued(Channel ours, int before) {
    if (!(listener.unsafe() instanceof NioUnsafe nio)) {
      close(ours);
    } else if (before > 0) {
      listener.eventLoop().execute(() -> readOn(nio, ours));
    } else if (listener.isRegistered()) {
      leaveSelector(nio, ours);
    } else {
      close(ours);
    }
  }

  /**
   * The port of a closed channel stays open until its selector's next select: the kernel would
   * queue clients that connect meanwhile, and then reset them.
   */
  private void leaveSelector(NioUnsafe nio, Channel ours) {
    listener
        .deregister()
        .addListener(
            left ->
                listener.eventLoop().schedule(() -> readOn(nio, ours), 0, TimeUnit.NANOSECONDS));
  }

  /** If the application has closed it by now, a read would fail and our own stay open. */
  private void readOn(NioUnsafe nio, Channel ours) {
    if (listener.isOpen()) {
      nio.read();
    } else {
      close(ours);
    }
  }

  private void close(Channel ours) {
    listener.close();
    ours.unsafe().closeForcibly();
  }
}
