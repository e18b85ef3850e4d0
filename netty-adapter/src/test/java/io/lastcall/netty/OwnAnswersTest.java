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
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

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

  /** No response could be sent before the probe's. */
  @Test
  void pending_requestBehindIt_isDroppedAndTheConnectionEnds() {
    Harness http = new Harness();
    http.get("/a", Harness.PENDING, "/b");
    http.respond("1");
    assertTrue(http.received().endsWith("1"));

    http.shutdown.propagated.complete(null);
    http.channel.runPendingTasks();
    String received = http.received();
    assertTrue(received.contains("connection: close"), received);
    assertTrue(received.endsWith("endpoints have propagated\n"), received);
    assertFalse(http.channel.isOpen());
    assertEquals(List.of("GET /a"), http.seen);
    http.channel.finishAndReleaseAll();
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
