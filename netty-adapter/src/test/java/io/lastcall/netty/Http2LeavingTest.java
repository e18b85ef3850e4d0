package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.lastcall.testing.RawHttp2;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** GOAWAY in two steps, and what is served between and behind them. */
@Timeout(120)
final class Http2LeavingTest {
  static final String HIGHEST = "GOAWAY " + Integer.MAX_VALUE;

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

  /** In two steps, behind its first stream, the second of them at the last call. */
  static void assertLeaves(RawHttp2 client, TestServer server) throws Exception {
    client.assertNext(HIGHEST, "PING");
    client.ack();
    server.server.connectionsEnded();
    client.assertNext("GOAWAY 1", "EOF");
  }

  @Test
  void announce_streamsOfTheRoundTrip_areServed() throws Exception {
    server.leave();
    announceAtRest();

    client.get(3, "/hold");
    server.awaitHeld();
    client.ack();
    server.server.connectionsEnded();

    server.answerHeld();
    client.assertNext("HEADERS 3", "DATA 3 end", "GOAWAY 3", "EOF");
  }

  @Test
  void announce_streamInFlight_waitsForItsResponse() throws Exception {
    client.get(1, "/hold");
    server.awaitHeld();
    server.leave();
    server.server.connections().forEach(connection -> connection.announceClose());
    server.answerHeld();
    client.assertNext("HEADERS 1", "DATA 1 end");
    assertLeaves(client, server);
  }

  @Test
  void announce_alwaysAStreamInFlight_waitsHoweverManyEnd() throws Exception {
    client.get(1, "/hold");
    server.awaitHeld();
    server.leave();
    server.server.connections().forEach(connection -> connection.announceClose());
    for (int stream = 3; stream < 303; stream += 2) {
      client.get(stream, "/fast");
      client.assertNext("HEADERS " + stream, "DATA " + stream + " end");
    }
    server.answerHeld();
    client.assertNext("HEADERS 1", "DATA 1 end", HIGHEST, "PING");
  }

  /** A connection that is never without a stream would bring new ones until the end. */
  @Test
  void announce_againWithAStreamInFlight_waitsNoLonger() throws Exception {
    client.get(1, "/hold");
    server.awaitHeld();
    server.leave();
    server.server.connections().forEach(connection -> connection.announceClose());
    server.closeIdle();
    client.assertNext(HIGHEST, "PING");
    server.answerHeld();
    client.assertNext("HEADERS 1", "DATA 1 end");
    client.ack();
    server.server.connectionsEnded();
    client.assertNext("GOAWAY 1", "EOF");
  }

  @Test
  void announce_streamBehindThePingsAnswer_isServedWhileAnotherIsInFlight() throws Exception {
    announceAtRest();
    client.get(3, "/hold");
    server.awaitHeld();
    client.ack();
    server.server.connectionsEnded();

    client.get(5, "/fast");
    client.assertNext("HEADERS 5", "DATA 5 end");
    server.answerHeld();
    client.assertNext("HEADERS 3", "DATA 3 end", "GOAWAY 5", "EOF");
    assertEquals(3, server.control.started());
  }

  /** Behind a first request that is answered. */
  private void announceAtRest() throws Exception {
    client.get(1, "/fast");
    client.assertNext("HEADERS 1", "DATA 1 end");
    server.server.connections().forEach(connection -> connection.announceClose());
    client.assertNext(HIGHEST, "PING");
  }

  @Test
  void closeIfIdle_idle_leavesInTwoSteps() throws Exception {
    client.get(1, "/fast");
    client.assertNext("HEADERS 1", "DATA 1 end");
    server.leave();
    server.closeIdle();
    CompletableFuture<?> ended = server.server.connectionsEnded().toCompletableFuture();
    client.assertNext(HIGHEST, "PING");
    assertFalse(ended.isDone());

    client.ack();
    client.assertNext("GOAWAY 1", "EOF");
    ended.get(60, SECONDS);
  }

  @Test
  void lateConnection_leavesBehindItsFirstResponse() throws Exception {
    server.leave();
    try (RawHttp2 late = new RawHttp2(server.port)) {
      late.get(1, "/fast");
      late.assertNext("HEADERS 1", "DATA 1 end");
      assertLeaves(late, server);
    }
  }

  @Test
  void upload_unfinishedBehindItsResponse_doesNotHoldTheConnection() throws Exception {
    client.post(1, "/early");
    client.assertNext("HEADERS 1", "DATA 1 end");
    server.leave();
    server.closeIdle();
    client.assertNext(HIGHEST, "PING");
    client.ack();
    server.server.connectionsEnded();
    client.assertNext("type 3 on 1", "GOAWAY 1", "EOF");
  }

  @Test
  void forceClose_unanswered_gets503AndLeaves() throws Exception {
    client.get(1, "/hold");
    server.awaitHeld();
    server.leave();
    server.server.connections().forEach(connection -> connection.forceClose());
    client.assertNext("HEADERS 1 end", HIGHEST, "PING");
    server.answerHeld();
    client.ack();
    server.server.connectionsEnded();
    client.assertNext("GOAWAY 1", "EOF");
  }

  @Test
  void goAway_pingNeverAnswered_theFinalOneComesAfterItsBound() {
    EmbeddedChannel channel =
        new EmbeddedChannel(
            Http2FrameCodecBuilder.forServer().build(), server.drain.http2Handler());
    channel.freezeTime();
    Http2FuzzClient mute = new Http2FuzzClient();
    ByteBuf hello = Unpooled.buffer();
    mute.takeSent(hello);
    channel.writeInbound(hello);
    server.leave();
    TrackedConnection.of(channel).announceClose();
    channel.runPendingTasks();
    channel.advanceTimeBy(4999, MILLISECONDS);
    ServerConnections.of(channel).endIdle();
    channel.runPendingTasks();
    receiveAll(mute, channel);
    assertEquals(List.of(Integer.MAX_VALUE), mute.goAways());

    channel.advanceTimeBy(1, MILLISECONDS);
    channel.runPendingTasks();
    receiveAll(mute, channel);
    assertEquals(List.of(Integer.MAX_VALUE, 0), mute.goAways());
    assertFalse(channel.isOpen());
    mute.close();
    channel.finishAndReleaseAll();
  }

  private static void receiveAll(Http2FuzzClient client, EmbeddedChannel server) {
    for (ByteBuf out = server.readOutbound(); out != null; out = server.readOutbound()) {
      client.receive(out);
    }
  }
}
