package io.lastcall.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * Passes the frames that the codec reads to {@link Http2Connection}, before the codec's own
 * listener, and the streams that close. That costs one call each; a handler in the pipeline, or the
 * codec's user events, would cost a request several times as much. Event loop only.
 */
final class Http2Arrivals extends Http2FrameListenerDecorator {
  private final Http2FrameCodec codec;
  private final Http2Connection http;
  private final Http2ConnectionAdapter closings =
      new Http2ConnectionAdapter() {
        @Override
        public void onStreamClosed(Http2Stream stream) {
          http.closed(stream.id());
        }
      };

  private boolean stopped;

  private Http2Arrivals(Http2FrameCodec codec, Http2FrameListener own, Http2Connection http) {
    super(own);
    this.codec = codec;
    this.http = http;
  }

  static Http2Arrivals tell(Http2Connection http, Http2FrameCodec codec) {
    Http2Arrivals arrivals = new Http2Arrivals(codec, codec.decoder().frameListener(), http);
    codec.decoder().frameListener(arrivals);
    codec.connection().addListener(arrivals.closings);
    return arrivals;
  }

  /** A listener that was put before this one keeps it. */
  void stop() {
    stopped = true;
    codec.connection().removeListener(closings);
    if (codec.decoder().frameListener() == this) {
      codec.decoder().frameListener(listener);
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean end)
      throws Http2Exception {
    if (stopped || http.read(stream, headers, end)) {
      super.onHeadersRead(ctx, stream, headers, padding, end);
    }
  }

  @Override
  public void onHeadersRead(
      ChannelHandlerContext ctx,
      int stream,
      Http2Headers headers,
      int dependency,
      short weight,
      boolean exclusive,
      int padding,
      boolean end)
      throws Http2Exception {
    if (stopped || http.read(stream, headers, end)) {
      super.onHeadersRead(ctx, stream, headers, dependency, weight, exclusive, padding, end);
    }
  }

  /** Data that is not for the application counts as consumed, so that the windows open again. */
  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean end)
      throws Http2Exception {
    return stopped || http.read(stream, end)
        ? super.onDataRead(ctx, stream, data, padding, end)
        : data.readableBytes() + padding;
  }

  @Override
  public void onPingAckRead(ChannelHandlerContext ctx, long content) throws Http2Exception {
    if (stopped || !http.isAnsweredBy(content)) {
      super.onPingAckRead(ctx, content);
    }
  }
}
