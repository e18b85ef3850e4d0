package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lastcall.GracefulShutdown;
import io.lastcall.connection.ConnectionControl;
import io.lastcall.inflight.GateControl;
import io.lastcall.time.Ticker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One request through a codec and a trivial application, with the adapter's handler between them
 * and without: what the handler costs, and what it allocates.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Fork(5)
@Warmup(iterations = 10, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 20, time = 100, timeUnit = TimeUnit.MILLISECONDS)
public class HandlerCost {
  private static final ByteBuf BODY =
      Unpooled.unreleasableBuffer(Unpooled.copiedBuffer("fast\n", US_ASCII));

  /**
   * What is between codec and application: nothing; a handler that passes everything on and hears
   * of the end of each response, which is the least that can count; the adapter's.
   */
  @Param({"none", "least", "lastcall"})
  public String handler = "none";

  private final EmbeddedChannel http1 = new EmbeddedChannel(new HttpServerCodec());
  private final EmbeddedChannel http2 =
      new EmbeddedChannel(Http2FrameCodecBuilder.forServer().build());
  private final ByteBuf request =
      Unpooled.copiedBuffer("GET /fast HTTP/1.1\r\nHost: localhost\r\n\r\n", US_ASCII);
  private final ByteBuf headers = Unpooled.buffer();
  private int stream = 1;

  /** Builds both connections. */
  @Setup
  public void connect() {
    NettyDrain drain =
        new NettyDrain(
            new GateControl(Ticker.system()).gate(),
            GracefulShutdown.disabled().probes(),
            new ConnectionControl().connections());
    complete(http1.pipeline(), drain.httpHandler(), new Http1Application());
    complete(http2.pipeline(), drain.http2Handler(), new Http2Application());
    http2.writeInbound(Http2CodecUtil.connectionPrefaceBuf(), settings(), windowUpdate());
    release(http2);
    headers(headers);
  }

  private void complete(ChannelPipeline pipeline, ChannelHandler ours, ChannelHandler application) {
    switch (handler) {
      case "none" -> {}
      case "least" -> pipeline.addLast(new Least());
      case "lastcall" -> pipeline.addLast(ours);
      default -> throw new IllegalArgumentException(handler);
    }
    pipeline.addLast(application);
  }

  /** RFC 9113, section 4.1: length, type, flags, stream. */
  private static ByteBuf settings() {
    return Unpooled.buffer().writeMedium(0).writeByte(4).writeByte(0).writeInt(0);
  }

  /** Room for all responses of a benchmark. */
  private static ByteBuf windowUpdate() {
    int most = Integer.MAX_VALUE - Http2CodecUtil.DEFAULT_WINDOW_SIZE;
    return Unpooled.buffer().writeMedium(4).writeByte(8).writeByte(0).writeInt(0).writeInt(most);
  }

  /** One block of GET, http, /fast by RFC 7541, in a frame that ends headers and stream. */
  private static void headers(ByteBuf frame) {
    byte[] path = "/fast".getBytes(US_ASCII);
    frame.writeMedium(4 + path.length).writeByte(1).writeByte(0x5).writeInt(0);
    frame.writeByte(0x82).writeByte(0x86).writeByte(0x04).writeByte(path.length).writeBytes(path);
  }

  /** One request and its response. */
  @Benchmark
  public Object http1() {
    http1.writeInbound(request.retainedDuplicate());
    return release(http1);
  }

  /** One stream; the connection has numbers for a billion more. */
  @Benchmark
  public Object http2() {
    headers.setInt(5, stream);
    stream += 2;
    http2.writeInbound(headers.retainedDuplicate());
    return release(http2);
  }

  private static int release(EmbeddedChannel channel) {
    int bytes = 0;
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      bytes += out.readableBytes();
      out.release();
    }
    if (bytes == 0) {
      throw new IllegalStateException("No response");
    }
    return bytes;
  }

  /** What counting in a pipeline takes at the least, without an atomic step. */
  private static final class Least extends ChannelDuplexHandler implements ChannelFutureListener {
    private long inFlight;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HttpRequest || message instanceof Http2HeadersFrame) {
        inFlight++;
      }
      ctx.fireChannelRead(message);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      boolean end =
          message instanceof DefaultFullHttpResponse
              || (message instanceof DefaultHttp2DataFrame data && data.isEndStream());
      ctx.write(message, end ? promise.addListener(this) : promise);
    }

    @Override
    public void operationComplete(ChannelFuture written) {
      if (--inFlight < 0) {
        throw new IllegalStateException("More responses than requests");
      }
    }
  }

  private static final class Http1Application extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof HttpRequest) {
        FullHttpResponse response =
            new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.OK, BODY.duplicate());
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, BODY.readableBytes());
        ctx.writeAndFlush(response);
      }
      ReferenceCountUtil.release(message);
    }
  }

  private static final class Http2Application extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (message instanceof Http2HeadersFrame request) {
        Http2FrameStream stream = request.stream();
        ctx.write(
            new DefaultHttp2HeadersFrame(
                    new DefaultHttp2Headers().status(HttpResponseStatus.OK.codeAsText()))
                .stream(stream));
        ctx.writeAndFlush(new DefaultHttp2DataFrame(BODY.duplicate(), true).stream(stream));
      } else {
        ReferenceCountUtil.release(message);
      }
    }
  }
}
