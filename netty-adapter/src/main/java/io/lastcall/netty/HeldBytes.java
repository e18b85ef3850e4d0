package io.lastcall.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * How much is held back on one channel. It counts for the channel's writability, as what the
 * channel buffers does: who writes what it can has to stop. Event loop only.
 */
final class HeldBytes {
  /** Among those that users may give a meaning to, 1 to 31; the last one is the least likely. */
  private static final int WRITABILITY = 31;

  private final Channel channel;
  private long bytes;

  HeldBytes(Channel channel) {
    this.channel = channel;
  }

  /** Adds {@code message}, and returns how much it is by the channel's own estimate. */
  int add(Object message) {
    int size = channel.config().getMessageSizeEstimator().newHandle().size(message);
    bytes += size;
    tell();
    return size;
  }

  /** The writer learns of it only by {@link #tell}. */
  void subtract(int size) {
    bytes -= size;
  }

  /** Tells the channel, which passes on what is new. */
  void tell() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    if (buffer != null) {
      ChannelConfig config = channel.config();
      buffer.setUserDefinedWritability(WRITABILITY, bytes <= config.getWriteBufferHighWaterMark());
    }
  }
}
