package io.lastcall.subjects.netty;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;

/** Sends every message back. */
final class WebSocketEcho extends SimpleChannelInboundHandler<WebSocketFrame> {
  @Override
  protected void channelRead0(ChannelHandlerContext ctx, WebSocketFrame frame) {
    ctx.writeAndFlush(frame.retain());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
