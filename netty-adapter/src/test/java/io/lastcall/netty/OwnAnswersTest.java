package io.lastcall.netty;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OwnAnswersTest {
  private static final int PROBES = 2_000;
  private static final int SMALL_STACK = 256 * 1024;

  /** HttpServerCodec bounds what is pipelined; its two halves on their own do not. */
  @Test
  void probes_manyPipelinedBehindASlowRequest_areAnsweredOnASmallStack() throws Exception {
    FutureTask<Integer> answers = new FutureTask<>(OwnAnswersTest::answers);
    new Thread(null, answers, "small stack", SMALL_STACK).start();
    assertEquals(1 + PROBES, answers.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void pending_streamBehindIt_isNotHeldAsAWhole(boolean leaving) {
    Streams streams = new Streams();
    Harness http = new Harness(streams);
    if (leaving) {
      http.leave();
    }
    http.get(Harness.PENDING, "/300");
    http.channel.runPendingTasks();
    assertTrue(streams.firstGo < 200, () -> streams.firstGo + " KB");
    assertFalse(http.channel.isWritable());
    assertEquals("", http.received());

    assertArrives(oneTo(300), http);
  }

  /** The answer between the two is flushed while part of the stream waits: too early to go on. */
  @Test
  void pending_streamBehindAnotherResponse_staysInOrder() {
    Streams streams = new Streams();
    Harness http = new Harness(streams);
    http.get(Harness.PENDING, "/60", "/livez", "/100");
    assertTrue(streams.firstGo > 0 && streams.firstGo < 100, () -> streams.firstGo + " KB");

    assertArrives(IntStream.concat(oneTo(60), oneTo(100)), http);
  }

  private static IntStream oneTo(int last) {
    return IntStream.rangeClosed(1, last);
  }

  private static void assertArrives(IntStream pieces, Harness http) {
    http.shutdown.propagated.complete(null);
    http.channel.runPendingTasks();
    assertEquals(pieces.boxed().toList(), Streams.pieces(http.received()));
    http.channel.finishAndReleaseAll();
    assertEquals(0, http.inFlight());
  }

  private static int answers() {
    Harness http = new Harness();
    EmbeddedChannel channel =
        new EmbeddedChannel(
            new HttpRequestDecoder(), new HttpResponseEncoder(), http.drain.httpHandler());
    String probes = "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n".repeat(PROBES);
    ByteBuf requests =
        Unpooled.copiedBuffer("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" + probes, UTF_8);
    channel.writeInbound(requests);

    channel.writeOutbound(Harness.ok("slow"));

    StringBuilder received = new StringBuilder();
    for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
      received.append(out.toString(UTF_8));
      out.release();
    }
    assertEquals(0, http.inFlight());
    channel.finishAndReleaseAll();
    return Responses.parse(received.toString()).size();
  }
}
