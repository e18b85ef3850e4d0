package io.lastcall.netty;

import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.testing.FixedProbes;
import io.lastcall.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2ChannelDuplexHandler;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;

/** One HTTP/2 connection without a network, and the application played by a test. */
final class Http2Harness {
  final GateControl control = new GateControl(Ticker.system());
  final ConnectionControl connections = new ConnectionControl();

  /** The streams that the application has seen. */
  final List<Http2FrameStream> requests = new ArrayList<>();

  /** What the client has read: {@code HEADERS 1}, {@code DATA 1 end}, {@code RST 1}. */
  final List<String> received = new ArrayList<>();

  final EmbeddedChannel server;
  private final EmbeddedChannel client;
  private final Client frames = new Client();

  /** Whether the server's socket takes no more. */
  boolean congested;

  /** Whether the server's next flush finds out that the client is gone. */
  boolean broken;

  Http2Harness() {
    NettyDrain drain =
        new NettyDrain(
            control.gate(), FixedProbes.of(() -> true, () -> true), connections.connections());
    server =
        new EmbeddedChannel(
            new Socket(),
            Http2FrameCodecBuilder.forServer().build(),
            drain.http2Handler(),
            new Application());
    client = new EmbeddedChannel(Http2FrameCodecBuilder.forClient().build(), frames);
  }

  /** The client sends a request's head. */
  Http2FrameStream request(String method, String path, boolean end) {
    return request(
        new DefaultHttp2Headers().method(method).scheme("http").authority("a").path(path), end);
  }

  /** The client sends this as a request's head, whatever it is. */
  Http2FrameStream request(Http2Headers headers, boolean end) {
    Http2FrameStream stream = frames.newStream();
    client.writeOutbound(new DefaultHttp2HeadersFrame(headers, end).stream(stream));
    return stream;
  }

  /** The client ends its request. */
  void end(Http2FrameStream stream) {
    client.writeOutbound(new DefaultHttp2DataFrame(true).stream(stream));
  }

  /** The client sends part of its request. */
  void send(Http2FrameStream stream, int bytes) {
    ByteBuf zeros = Unpooled.buffer(bytes).writeZero(bytes);
    client.writeOutbound(new DefaultHttp2DataFrame(zeros).stream(stream));
  }

  /** The client takes its request back. */
  void cancel(Http2FrameStream stream) {
    client.writeOutbound(new DefaultHttp2ResetFrame(Http2Error.CANCEL).stream(stream));
  }

  /** The client lets the server send more on all streams together. */
  void widen(int bytes) {
    client.writeOutbound(new DefaultHttp2WindowUpdateFrame(bytes));
  }

  /** The client has consumed what it has got on one stream. */
  void consume(Http2FrameStream stream, int bytes) {
    client.writeOutbound(new DefaultHttp2WindowUpdateFrame(bytes).stream(stream));
  }

  /** All that the client has sent arrives, in one read. */
  void toServer() {
    ByteBuf wire = Unpooled.buffer();
    client.runPendingTasks();
    for (ByteBuf out = client.readOutbound(); out != null; out = client.readOutbound()) {
      wire.writeBytes(out);
      out.release();
    }
    server.writeInbound(wire);
    server.runPendingTasks();
  }

  /** All that the server has sent arrives. */
  void toClient() {
    server.runPendingTasks();
    for (ByteBuf out = server.readOutbound(); out != null; out = server.readOutbound()) {
      client.writeInbound(out);
    }
  }

  long inFlight() {
    return control.gate().inFlight();
  }

  void close() {
    client.finishAndReleaseAll();
    server.finishAndReleaseAll();
  }

  private final class Application extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      Http2FrameStream stream = message instanceof Http2HeadersFrame head ? head.stream() : null;
      if (stream != null) {
        requests.add(stream);
      }
      ReferenceCountUtil.release(message);
    }
  }

  private final class Socket extends ChannelOutboundHandlerAdapter {
    @Override
    public void flush(ChannelHandlerContext ctx) {
      if (broken) {
        ctx.close();
      } else if (!congested) {
        ctx.flush();
      }
    }
  }

  private final class Client extends Http2ChannelDuplexHandler {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2HeadersFrame headers) {
        add("HEADERS", headers.stream(), headers.isEndStream());
      } else if (message instanceof Http2DataFrame data) {
        add("DATA", data.stream(), data.isEndStream());
      } else if (message instanceof Http2ResetFrame reset) {
        add("RST", reset.stream(), false);
      } else if (message instanceof Http2GoAwayFrame goAway) {
        received.add("GOAWAY " + goAway.lastStreamId());
      }
      ReferenceCountUtil.release(message);
    }

    private void add(String type, Http2FrameStream stream, boolean end) {
      received.add(type + " " + stream.id() + (end ? " end" : ""));
    }
  }
}
