package io.lastcall.netty;

import io.lastcall.probe.Probes;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;

/**
 * Answers the probes on a port of their own, and everything else there with 404. Each answer closes
 * its connection, since a kubelet opens one for each probe.
 */
@Sharable
final class ProbeHandler extends SimpleChannelInboundHandler<HttpObject> {
  private final Probes probes;

  ProbeHandler(Probes probes) {
    this.probes = probes;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    if (message instanceof HttpRequest request && request.decoderResult().isFailure()) {
      answer(ctx, Answers.malformed());
    } else if (message instanceof HttpRequest request) {
      Answers.onEventLoop(
          ctx, Answers.probe(probes, request), answer -> answer(ctx, Answers.probe(answer)));
    }
  }

  private static void answer(ChannelHandlerContext ctx, FullHttpResponse answer) {
    ctx.writeAndFlush(Answers.closing(answer)).addListener(ChannelFutureListener.CLOSE);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    ctx.close();
  }
}
