package io.lastcall.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * Writes our frames by the number of their stream. The codec's frame classes need its stream
 * object, which only a handler after us gets, with the request. Event loop only.
 */
final class Http2Writer {
  private static final int PADDING = 0;

  private final ChannelHandlerContext ctx;
  private final Http2FrameCodec codec;
  private final Http2ConnectionEncoder encoder;

  /**
   * @param ctx the codec's
   */
  Http2Writer(ChannelHandlerContext ctx, Http2FrameCodec codec) {
    this.ctx = ctx;
    this.codec = codec;
    this.encoder = codec.encoder();
  }

  ChannelHandlerContext ctx() {
    return ctx;
  }

  ChannelPromise newPromise() {
    return ctx.newPromise();
  }

  void headers(int stream, Http2Headers headers, boolean end, ChannelPromise promise) {
    encoder.writeHeaders(ctx, stream, headers, PADDING, end, promise);
  }

  /** The last part of a response. */
  void end(int stream, ByteBuf data, ChannelPromise promise) {
    encoder.writeData(ctx, stream, data, PADDING, true, promise);
  }

  /**
   * Asks the client to send no more of a request that is answered (RFC 9113, section 8.1). A client
   * that has reset the stream is sent no reset (section 5.4.2): Netty fails the frames that wait
   * for a window before it reports the close.
   */
  void resetAnswered(int stream) {
    reset(stream, Http2Error.NO_ERROR);
  }

  /** Gives up a response that has begun. */
  void cancel(int stream) {
    reset(stream, Http2Error.CANCEL);
  }

  private void reset(int stream, Http2Error error) {
    Http2Stream known = codec.connection().stream(stream);
    if (known != null && known.state() != Http2Stream.State.CLOSED) {
      encoder.writeRstStream(ctx, stream, error.code(), newPromise());
      flush();
    }
  }

  void flush() {
    codec.flush(ctx);
  }
}
