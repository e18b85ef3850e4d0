package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.testing.RawHttp2;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipelineException;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is counted, answered and refused. */
@Timeout(120)
final class Http2HandlerTest {
  private TestServer server;
  private RawHttp2 client;

  @BeforeEach
  void start() throws Exception {
    server = new TestServer();
    client = new RawHttp2(server.port);
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.close();
    assertEquals(0, server.inFlight());
    assertEquals(0, server.connections.connections().open());
  }

  @Test
  void streams_areCountedEach() throws Exception {
    client.get(1, "/hold");
    client.get(3, "/hold");
    await().until(() -> server.inFlight() == 2);
    assertTrue(
        server.control.running().stream().allMatch(one -> one.description().equals("GET /hold")));

    server.answerHeld();
    server.answerHeld();
    await().until(() -> server.inFlight() == 0);
    assertTrue(client.next().startsWith("HEADERS"));
  }

  @Test
  void streams_manyInTurn_areCountedEach() throws Exception {
    for (int stream = 1; stream < 200; stream += 2) {
      client.get(stream, "/fast");
      client.assertNext("HEADERS " + stream, "DATA " + stream + " end");
    }

    await().until(() -> server.control.finished() == 100);
    assertEquals(100, server.control.started());
  }

  @Test
  void reset_releases() throws Exception {
    client.get(1, "/hold");
    server.awaitHeld();
    client.reset(1);

    await().until(() -> server.inFlight() == 0);
  }

  @Test
  void clientGone_releases() throws Exception {
    client.get(1, "/hold");
    server.awaitHeld();
    client.close();

    await().until(() -> server.inFlight() == 0);
    await().until(() -> server.server.connections().isEmpty());
  }

  @Test
  void refused_upload_isAnsweredAndReset() throws Exception {
    server.control.refuse();
    client.post(1, "/up");

    client.assertNext("HEADERS 1 end", "type 3 on 1");
    assertEquals(1, server.control.refused());
    server.closeIdle();
    Http2LeavingTest.assertLeaves(client, server);
  }

  @Test
  void upload_stillArriving_isInFlightAndServed() throws Exception {
    client.post(1, "/up");
    client.data(1, "four", false);
    await().until(() -> server.inFlight() == 1);
    server.leave();
    server.closeIdle();
    client.data(1, "four", true);

    client.assertNext("HEADERS 1", "DATA 1 end");
    Http2LeavingTest.assertLeaves(client, server);
  }

  @Test
  void probe_gateClosed_isAnsweredUncounted() throws Exception {
    server.control.close();
    client.get(1, "/livez");

    client.assertNext("HEADERS 1", "DATA 1 end");
    assertEquals(0, server.control.started());
  }

  @Test
  void eventStream_isNotInFlightAndIsEnded() throws Exception {
    client.get(1, "/sse");
    client.assertNext("HEADERS 1", "DATA 1");
    assertEquals(0, server.inFlight());

    server.leave();
    server.closeIdle();
    CompletableFuture<?> ended = server.server.connectionsEnded().toCompletableFuture();
    client.assertNext(Http2LeavingTest.HIGHEST, "PING");
    client.ack();
    ended.get(60, SECONDS);

    assertTrue(server.connections.closeAll(Duration.ZERO, TestServer.soon()));
    client.assertNext("DATA 1 end", "GOAWAY 1", "EOF");
    assertEquals(Map.of("sse", 1L), server.connections.ended());
  }

  @Test
  void withoutCodec_isRefused() {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpServerCodec());
    channel.pipeline().addLast(server.drain.http2Handler());
    ChannelPipelineException refused =
        assertThrows(ChannelPipelineException.class, channel::checkException);
    String told = String.valueOf(refused.getCause());
    assertTrue(told.contains("HttpServerCodec#0") && told.contains("Http2FrameCodec"), told);
    channel.finishAndReleaseAll();
  }

  @Test
  void behindAMultiplexer_isRefused() {
    EmbeddedChannel channel =
        new EmbeddedChannel(
            Http2FrameCodecBuilder.forServer().build(), new Http2MultiplexHandler(new NoStreams()));
    channel.pipeline().addLast(server.drain.http2Handler());
    assertThrows(ChannelPipelineException.class, channel::checkException);
    channel.finishAndReleaseAll();
  }

  @Test
  @SuppressWarnings("deprecation")
  void behindAMultiplexCodec_isRefused() {
    EmbeddedChannel channel =
        new EmbeddedChannel(
            io.netty.handler.codec.http2.Http2MultiplexCodecBuilder.forServer(new NoStreams())
                .build());
    channel.pipeline().addLast(server.drain.http2Handler());
    assertThrows(ChannelPipelineException.class, channel::checkException);
    channel.finishAndReleaseAll();
  }

  private static final class NoStreams extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel channel) {}
  }
}
