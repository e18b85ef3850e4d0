package io.lastcall.netty;

import io.lastcall.connection.Connections;
import io.lastcall.inflight.RequestGate;
import io.lastcall.probe.Probes;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameStreamEvent;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2PingFrame;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * Sits between one connection's {@code Http2FrameCodec} and whatever serves its streams, and passes
 * what it sees to {@link Http2Connection}.
 */
final class Http2Handler extends ChannelDuplexHandler {
  private final RequestGate gate;
  private final Probes probes;
  private final Connections connections;

  @SuppressWarnings("NullAway.Init") // by handlerAdded, before any event
  private Http2Connection http;

  Http2Handler(RequestGate gate, Probes probes, Connections connections) {
    this.gate = gate;
    this.probes = probes;
    this.connections = connections;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    http = new Http2Connection(ctx, gate, probes, connections);
    TrackedConnection.of(ctx).speaks(http);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    Http2HeadersFrame headers = Http2Frames.headers(message);
    Http2DataFrame data = Http2Frames.data(message);
    if (headers != null) {
      http.read(headers);
    } else if (data != null) {
      http.read(data);
    } else if (!(message instanceof Http2PingFrame ping) || !http.read(ping)) {
      ctx.fireChannelRead(message);
    }
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    Http2HeadersFrame headers = Http2Frames.headers(message);
    Http2DataFrame data = Http2Frames.data(message);
    if (headers != null) {
      http.write(headers, promise);
    } else if (data != null) {
      http.write(data, promise);
    } else {
      http.write(message, promise);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    ctx.fireUserEventTriggered(event);
    if (event instanceof Http2FrameStreamEvent change
        && change.stream().state() == Http2Stream.State.CLOSED) {
      http.closed(change.stream());
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    http.abandon();
    ctx.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    // Null where the handler could not be added.
    if (http != null) {
      http.abandon();
    }
  }
}
