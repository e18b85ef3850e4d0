package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.probe.ProbeToken;
import io.lastcall.probe.Probes;
import io.lastcall.testing.PendingShutdown;
import io.lastcall.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One connection without a network: bytes in, bytes out, and the application played by a test. */
final class Harness {
  private static final String TOKEN = "0123456789abcdef";

  /** A probe whose answer comes when the {@link #shutdown} says that propagation has ended. */
  static final String PENDING = "/prestop/" + TOKEN;

  final GateControl control = new GateControl(Ticker.system());
  final ConnectionControl connections = new ConnectionControl();
  final PendingShutdown shutdown = new PendingShutdown();
  final NettyDrain drain =
      new NettyDrain(
          control.gate(),
          new Probes(shutdown, ProbeToken.of(TOKEN), Ticker.system()),
          connections.connections());

  /** What the application has seen: {@code GET /a} for a head, {@code content}, {@code user:...} */
  final List<String> seen = new ArrayList<>();

  final EmbeddedChannel channel;

  Harness(ChannelHandler... application) {
    channel = new EmbeddedChannel(new HttpServerCodec(), drain.httpHandler());
    channel.pipeline().addLast(application);
    channel.pipeline().addLast(new Recorder());
  }

  /** From now on every response says close. */
  void leave() {
    control.leave(Duration.ZERO);
  }

  void send(String bytes) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, UTF_8));
  }

  void get(String... paths) {
    StringBuilder requests = new StringBuilder();
    for (String path : paths) {
      requests.append("GET ").append(path).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    send(requests.toString());
  }

  /** The application answers the oldest open request. */
  void respond(String body) {
    channel.writeOutbound(ok(body));
  }

  static FullHttpResponse ok(String body) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.copiedBuffer(body, UTF_8));
    response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, body.length());
    return response;
  }

  static HttpResponse head(String contentType) {
    HttpResponse response = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, contentType);
    response.headers().set(HttpHeaderNames.TRANSFER_ENCODING, "chunked");
    return response;
  }

  /** What has been sent to the client since the last call. */
  String received() {
    StringBuilder all = new StringBuilder();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      all.append(out.toString(UTF_8));
      out.release();
    }
    return all.toString();
  }

  long inFlight() {
    return control.gate().inFlight();
  }

  private final class Recorder extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HttpRequest request) {
        seen.add(request.method() + " " + request.uri());
      } else if (!(message instanceof HttpObject)) {
        seen.add(message.getClass().getSimpleName());
      }
      ReferenceCountUtil.release(message);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      seen.add("event " + event);
    }
  }
}
