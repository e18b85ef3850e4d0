package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.ToldToClose;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipelineException;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpChunkedInput;
import io.netty.handler.codec.http.HttpContentCompressor;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpServerExpectContinueHandler;
import io.netty.handler.codec.http.HttpServerKeepAliveHandler;
import io.netty.handler.stream.ChunkedInput;
import io.netty.handler.stream.ChunkedWriteHandler;
import io.netty.handler.timeout.IdleStateHandler;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The handler among others that users have in their pipelines, and beside other listeners. */
@Timeout(120)
final class PipelineTest {
  private static final String PROXY = "PROXY TCP4 10.0.0.1 10.0.0.2 5000 80\r\n";
  private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n";

  @Test
  void inFrontOfTheCodec_isRefused() {
    assertRefused(new Harness().drain.httpHandler(), new HttpServerCodec());
  }

  @Test
  void twice_isRefused() {
    Harness http = new Harness();
    assertRefused(new HttpServerCodec(), http.drain.httpHandler(), http.drain.httpHandler());
  }

  @Test
  void betweenDecoderAndEncoder_isRefused() {
    assertRefused(
        new HttpRequestDecoder(), new Harness().drain.httpHandler(), new HttpResponseEncoder());
  }

  @Test
  void behindAChunkedWriteHandler_isRefused() {
    assertRefused(
        new HttpServerCodec(),
        new HttpObjectAggregator(1000),
        new ChunkedWriteHandler(),
        new Harness().drain.httpHandler());
  }

  @Test
  void behindDecoderAndEncoder_isTaken() {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel
        .pipeline()
        .addLast(
            new HttpRequestDecoder(), new HttpResponseEncoder(), new Harness().drain.httpHandler());
    channel.checkException();
    assertTrue(channel.isOpen());
    channel.finishAndReleaseAll();
  }

  private static void assertRefused(ChannelHandler... handlers) {
    EmbeddedChannel channel = new EmbeddedChannel();
    channel.pipeline().addLast(handlers);
    ChannelPipelineException refused =
        assertThrows(ChannelPipelineException.class, channel::checkException);
    String told = String.valueOf(refused.getCause());
    assertTrue(told.contains("right behind the HttpServerCodec"), told);
    channel.finishAndReleaseAll();
  }

  @Test
  void proxyProtocolCompressionAndIdleHandlers_areNotDisturbed() throws IOException {
    Harness http = new Harness();
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new HAProxyMessageDecoder(),
            new IdleStateHandler(30, 30, 30),
            new HttpServerCodec(),
            http.drain.httpHandler(),
            new HttpContentCompressor(),
            new HttpServerKeepAliveHandler(),
            new HttpServerExpectContinueHandler(),
            new HttpObjectAggregator(1000),
            new Hello());
    channel.writeInbound(Unpooled.copiedBuffer(PROXY + GET, UTF_8));
    assertEquals("gzip, null, hello", received(channel));
    assertEquals(0, http.inFlight());

    http.leave();
    channel.writeInbound(Unpooled.copiedBuffer(GET, UTF_8));
    assertEquals("gzip, close, hello", received(channel));
    assertFalse(channel.isOpen());
    assertEquals(0, http.inFlight());
    channel.finishAndReleaseAll();
  }

  /** Its end would stay behind the input. */
  @Test
  void eventStream_ofAChunkedInputWithNothingToSend_isEnded() {
    Harness http = new Harness(new ChunkedWriteHandler());
    http.get("/sse");
    http.channel.write(Harness.head("text/event-stream"));
    http.channel.writeAndFlush(new HttpChunkedInput(new OneEvent()));
    assertTrue(http.received().endsWith("data: 1\n\n\r\n"));
    ToldToClose.all(http.connections);
    http.channel.runPendingTasks();

    assertEquals("0\r\n\r\n", http.received());
    assertFalse(http.channel.isOpen());
    assertEquals(0, http.connections.connections().open());
    http.channel.finishAndReleaseAll();
  }

  /** And then none, until somebody calls {@code resumeTransfer()}. */
  private static final class OneEvent implements ChunkedInput<ByteBuf> {
    private boolean sent;

    @Override
    public boolean isEndOfInput() {
      return false;
    }

    @Override
    public void close() {}

    @Override
    @Deprecated
    public @Nullable ByteBuf readChunk(ChannelHandlerContext ctx) {
      throw new UnsupportedOperationException("not called by Netty");
    }

    @Override
    public @Nullable ByteBuf readChunk(ByteBufAllocator allocator) {
      if (sent) {
        return null;
      }
      sent = true;
      return Unpooled.copiedBuffer("data: 1\n\n", UTF_8);
    }

    @Override
    public long length() {
      return -1;
    }

    @Override
    public long progress() {
      return 0;
    }
  }

  /** Encoding, connection and body of a response, taken apart by Netty's own decoder. */
  private static String received(EmbeddedChannel server) throws IOException {
    EmbeddedChannel client =
        new EmbeddedChannel(new HttpResponseDecoder(), new HttpObjectAggregator(1000));
    for (ByteBuf out = server.readOutbound(); out != null; out = server.readOutbound()) {
      client.writeInbound(out);
    }
    FullHttpResponse response = client.readInbound();
    try (GZIPInputStream body = new GZIPInputStream(new ByteBufInputStream(response.content()))) {
      return "%s, %s, %s"
          .formatted(
              response.headers().get("content-encoding"),
              response.headers().get("connection"),
              new String(body.readAllBytes(), UTF_8));
    } finally {
      response.release();
      client.finishAndReleaseAll();
    }
  }

  private static final class Hello extends SimpleChannelInboundHandler<FullHttpRequest> {
    @Override
    protected void channelRead0(ChannelHandlerContext ctx, FullHttpRequest request) {
      ctx.writeAndFlush(Harness.ok("hello"));
    }
  }
}
