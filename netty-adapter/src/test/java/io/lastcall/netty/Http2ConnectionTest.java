package io.lastcall.netty;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.EndlessResponse;
import io.lastcall.connection.ToldToClose;
import io.lastcall.spi.Http2Leaving;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2FrameStream;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames whose order, or whose fate in Netty's flow control, a socket leaves to chance. */
final class Http2ConnectionTest {
  /** RFC 9113, section 6.9.2. */
  private static final int WINDOW = 65_535;

  private static final String HIGHEST = "GOAWAY " + Integer.MAX_VALUE;

  private final Http2Harness http = new Http2Harness();

  @AfterEach
  void close() {
    http.close();
    assertEquals(0, http.inFlight());
    assertEquals(0, http.connections.connections().open());
  }

  /** Returns the client's side of it; with a body, if an empty one, or without. */
  private Http2FrameStream requestWhole(boolean upload) {
    Http2FrameStream client = http.request(upload ? "POST" : "GET", "/a", !upload);
    if (upload) {
      http.end(client);
    }
    http.toServer();
    return client;
  }

  /** Netty merges them, and closes the stream by the future of the first. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void dataMergedWaitingForTheWindow_isInFlightUntilTheLastByteIsOut(boolean upload) {
    Http2FrameStream client = requestWhole(upload);
    Http2FrameStream stream = http.requests.get(0);
    http.server.write(head(stream));
    http.server.write(data(stream, WINDOW, false));
    http.server.writeAndFlush(data(stream, WINDOW, true));
    http.control.leave(Duration.ZERO);
    CompletableFuture<?> ended = ServerConnections.of(http.server).endIdle().toCompletableFuture();
    http.toClient();
    http.toServer();
    assertTrue(http.received.contains(HIGHEST), http.received::toString);

    http.congested = true;
    http.consume(client, WINDOW);
    http.toServer();
    assertEquals(1, http.inFlight());
    assertFalse(ended.isDone());

    http.congested = false;
    http.server.flush();
    assertEquals(0, http.inFlight());
    assertTrue(ended.isDone());
    http.toClient();
    assertTrue(http.received.contains("DATA 3 end"), http.received::toString);
  }

  /** They are no DATA, and wait for the window all the same. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void trailersBehindDataThatWaitsForTheWindow_areInFlightUntilTheyAreOut(boolean upload) {
    Http2FrameStream client = requestWhole(upload);
    Http2FrameStream stream = http.requests.get(0);
    http.server.write(head(stream));
    http.server.write(data(stream, WINDOW + 1, false));
    http.server.writeAndFlush(trailers(stream));
    http.toClient();
    assertEquals(1, http.inFlight());

    http.congested = true;
    http.consume(client, WINDOW);
    http.toServer();
    assertEquals(1, http.inFlight());

    http.congested = false;
    http.server.flush();
    assertEquals(0, http.inFlight());
    http.toClient();
    assertEquals("HEADERS 3 end", http.received.get(http.received.size() - 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void resetWhileTheResponseWaitsForTheWindow_releases(boolean inParts) {
    Http2FrameStream client = http.request("GET", "/a", true);
    http.toServer();
    Http2FrameStream stream = http.requests.get(0);
    http.server.write(head(stream));
    if (inParts) {
      http.server.write(data(stream, WINDOW, false));
    }
    ChannelFuture end = http.server.writeAndFlush(data(stream, WINDOW + 1, true));
    assertEquals(1, http.inFlight());

    http.cancel(client);
    http.toServer();
    assertFalse(end.isSuccess());
    assertEquals(0, http.inFlight());
    http.request("GET", "/b", true);
    http.toServer();
    assertEquals(1, http.inFlight());
  }

  /** RFC 9113, section 5.4.2: no RST_STREAM in response to one. */
  @Test
  void resetOfAnUploadWhoseResponseWaitsForTheWindow_behindTheLastCall_isNotAnsweredByOne() {
    Http2FrameStream client = http.request("POST", "/a", false);
    http.toServer();
    Http2FrameStream stream = http.requests.get(0);
    http.server.write(head(stream));
    http.server.writeAndFlush(data(stream, WINDOW + 1, true));
    ServerConnections.of(http.server).endIdle();
    http.toClient();
    http.toServer();
    http.received.clear();

    http.cancel(client);
    http.toServer();
    assertFalse(http.server.isOpen());
    http.toClient();
    assertEquals(List.of("GOAWAY 3"), http.received);
  }

  /** What nobody reads must not use up the window of the connection. */
  @Test
  void bodyOfARequestThatWeAnswer_isConsumed() {
    Http2FrameStream probe = http.request("POST", "/livez", false);
    http.congested = true;
    http.toServer();
    http.send(probe, WINDOW);
    http.toServer();
    io.netty.handler.codec.http2.Http2Connection connection =
        http.server.pipeline().get(Http2FrameCodec.class).connection();
    assertEquals(
        0, connection.local().flowController().unconsumedBytes(connection.connectionStream()));
    assertEquals(0, connection.local().flowController().unconsumedBytes(connection.stream(3)));
    http.congested = false;
    http.server.flush();
    http.toClient();
    assertEquals(List.of("HEADERS 3", "DATA 3 end", "RST 3"), http.received);
  }

  /** Malformed (RFC 9113, section 8.3.1); Netty's codec lets it pass. */
  @Test
  void requestWithoutMethod_isTheApplicationsToRefuse() {
    http.request(new DefaultHttp2Headers().scheme("http").authority("a").path("/a"), true);
    http.toServer();
    Http2FrameStream stream = http.requests.get(0);
    Http2Headers refusal = new DefaultHttp2Headers().status("400");
    http.server.write(new DefaultHttp2HeadersFrame(refusal).stream(stream));
    http.server.writeAndFlush(data(stream, 1, true));
    http.toClient();
    assertEquals(List.of("HEADERS 3", "DATA 3 end"), http.received);
  }

  @Test
  void probeBeforeItsBody_isAnsweredInFullAndThenReset() {
    http.request("POST", "/livez", false);
    http.toServer();
    http.toClient();

    assertEquals(List.of("HEADERS 3", "DATA 3 end", "RST 3"), http.received);
  }

  @Test
  void probeWhoseEmptyBodyIsOfTheSameRead_isNotReset() {
    http.end(http.request("POST", "/livez", false));
    http.toServer();
    http.toClient();

    assertEquals(List.of("HEADERS 3", "DATA 3 end"), http.received);
  }

  /** As a client's may be that has more than one thread, or that has yet to read a response. */
  @Test
  void connectionBehindThePingsAnswer_staysUntilTheLastCall() {
    announceAndAnswer();
    http.server.advanceTimeBy(1, HOURS);
    http.request("GET", "/b", true);
    http.toServer();
    respond(1);
    http.toClient();
    assertEquals(List.of(HIGHEST, "HEADERS 5", "DATA 5 end"), http.received);

    ServerConnections.of(http.server).endIdle();
    http.toClient();
    assertEquals("GOAWAY 5", http.received.get(3));
    assertFalse(http.server.isOpen());
  }

  @Test
  void lastCallBehindThePingsAnswer_isFinalAtOnce() {
    announceAndAnswer();
    assertEquals(List.of(HIGHEST), http.received);

    CompletableFuture<?> ended = ServerConnections.of(http.server).endIdle().toCompletableFuture();
    http.toClient();
    assertEquals(List.of(HIGHEST, "GOAWAY 3"), http.received);
    assertTrue(ended.isDone());
  }

  /**
   * Whether it has seen the GOAWAY it will not say: its requests are waited for, its end is not.
   */
  @Test
  void clientReadsNothing_lastCall_isAwaitedForItsPatienceAndLeavesOnceItReads() {
    http.server.freezeTime();
    http.congested = true;
    CompletableFuture<?> ended = ServerConnections.of(http.server).endIdle().toCompletableFuture();
    http.server.runPendingTasks();
    http.server.advanceTimeBy(Http2Leaving.PATIENCE.toMillis() - 1, MILLISECONDS);
    http.server.runPendingTasks();
    assertFalse(ended.isDone());

    http.server.advanceTimeBy(1, MILLISECONDS);
    http.server.runPendingTasks();
    assertTrue(ended.isDone());
    assertTrue(http.server.isOpen());

    http.congested = false;
    http.server.flush();
    http.toClient();
    http.toServer();
    http.toClient();
    assertEquals(List.of(HIGHEST, "GOAWAY 0"), http.received);
    assertFalse(http.server.isOpen());
  }

  /** Behind a first request that is answered. */
  private void announceAndAnswer() {
    http.server.freezeTime();
    http.request("GET", "/a", true);
    http.toServer();
    respond(0);
    http.toClient();
    http.received.clear();
    TrackedConnection.of(http.server).announceClose();
    http.toClient();
    http.toServer();
    http.toClient();
  }

  private void respond(int request) {
    Http2FrameStream stream = http.requests.get(request);
    http.server.writeOutbound(head(stream), data(stream, 1, true));
  }

  @Test
  void forceClose_ofAConnectionThatTurnsOutToBeGone_endsQuietly() {
    http.request("GET", "/a", true);
    http.request("GET", "/b", true);
    http.toServer();
    http.broken = true;
    TrackedConnection.of(http.server).forceClose();
    http.server.runPendingTasks();
    assertFalse(http.server.isOpen());
    assertEquals(0, http.inFlight());
  }

  @Test
  void streamBecomesAnEventStream_nobodyIsWaitedForAndTheClientIsTold() {
    http.request("GET", "/sse", true);
    http.toServer();
    TrackedConnection.of(http.server).announceClose();
    http.server.runPendingTasks();
    http.toClient();
    assertEquals(List.of(), http.received);

    DefaultHttp2HeadersFrame head = head(http.requests.get(0));
    head.headers().set("content-type", "text/event-stream");
    http.server.writeOutbound(head);
    http.toClient();
    assertEquals(List.of("HEADERS 3", HIGHEST), http.received);
  }

  /** Its page is waited for. */
  @Test
  void errorOfTheTypeOfEventStreams_isInFlight() {
    http.request("GET", "/sse", true);
    http.toServer();
    DefaultHttp2HeadersFrame head = head(http.requests.get(0));
    head.headers().status("500").set("content-type", "text/event-stream");
    http.server.writeOutbound(head);

    assertEquals(1, http.inFlight());
  }

  /** The answer of a chat: its client would not come back for the rest. */
  @Test
  void eventStreamInAnswerToPost_isInFlightToItsEnd() {
    http.request("POST", "/chat", true);
    http.toServer();
    Http2FrameStream stream = http.requests.get(0);
    DefaultHttp2HeadersFrame head = head(stream);
    head.headers().set("content-type", "text/event-stream");
    http.server.writeOutbound(head);
    ToldToClose.all(http.connections);
    http.server.runPendingTasks();
    assertEquals(1, http.inFlight());
    http.server.writeOutbound(trailers(stream));
    http.toClient();
    assertEquals(List.of("HEADERS 3", "HEADERS 3 end"), http.received);
    assertEquals(0, http.inFlight());
  }

  @Test
  void eventStreamInAnswerToGet_markedFinite_isInFlightAndTheMarkIsTakenOff() {
    http.request("GET", "/chat", true);
    http.toServer();
    DefaultHttp2HeadersFrame head = head(http.requests.get(0));
    head.headers().set("content-type", "text/event-stream");
    head.headers().set(EndlessResponse.HEADER, EndlessResponse.FINITE);
    http.server.writeOutbound(head);
    assertEquals(1, http.inFlight());
    assertFalse(head.headers().contains(EndlessResponse.HEADER));
  }

  @Test
  void trailersBehindAStreamThatWasEnded_areDropped() {
    http.request("POST", "/sse", false);
    http.request("GET", "/b", true);
    http.toServer();
    Http2FrameStream events = http.requests.get(0);
    DefaultHttp2HeadersFrame head = head(events);
    head.headers().set(EndlessResponse.HEADER, EndlessResponse.ENDLESS);
    http.server.writeOutbound(head);
    ToldToClose.all(http.connections);
    http.server.runPendingTasks();

    ChannelFuture late = http.server.writeAndFlush(trailers(events));
    assertInstanceOf(ClosedChannelException.class, late.cause());
    respond(1);
    http.toClient();
    assertEquals(List.of("HEADERS 3", "DATA 3 end", "HEADERS 5", "DATA 5 end"), http.received);
  }

  private static DefaultHttp2HeadersFrame head(Http2FrameStream stream) {
    return new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200")).stream(stream);
  }

  private static DefaultHttp2HeadersFrame trailers(Http2FrameStream stream) {
    Http2Headers trailers = new DefaultHttp2Headers().set("x", "y");
    return new DefaultHttp2HeadersFrame(trailers, true).stream(stream);
  }

  private static DefaultHttp2DataFrame data(Http2FrameStream stream, int bytes, boolean end) {
    return new DefaultHttp2DataFrame(Unpooled.buffer(bytes).writeZero(bytes), end).stream(stream);
  }

  @Test
  void handlerRemoved_requestsPassUncounted() {
    http.server.pipeline().remove(Http2Handler.class);

    assertPassesUncounted();
  }

  /** Whoever listens in front of ours calls it to the end. */
  @Test
  void handlerRemoved_belowAnotherListener_requestsPassUncounted() {
    Http2ConnectionDecoder decoder = http.server.pipeline().get(Http2FrameCodec.class).decoder();
    decoder.frameListener(new Http2FrameListenerDecorator(decoder.frameListener()));
    http.server.pipeline().remove(Http2Handler.class);

    assertPassesUncounted();
  }

  private void assertPassesUncounted() {
    http.request("GET", "/livez", true);
    http.toServer();

    assertEquals(1, http.requests.size());
    assertEquals(0, http.control.started());
  }
}
