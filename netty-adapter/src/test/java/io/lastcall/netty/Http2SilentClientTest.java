package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2Headers;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Event streams whose client has let its flow-control window fill. */
@Timeout(120)
final class Http2SilentClientTest {
  /** RFC 9113, section 6.9.2. */
  private static final int WINDOW = 65_535;

  private final Http2Harness http = new Http2Harness();

  @BeforeEach
  void openStream() {
    http.request("GET", "/sse", true);
    http.toServer();
    Http2Headers head =
        new DefaultHttp2Headers().status("200").set("content-type", "text/event-stream");
    http.server.write(new DefaultHttp2HeadersFrame(head).stream(http.requests.get(0)));
  }

  private void send(int bytes) {
    http.server.writeAndFlush(
        new DefaultHttp2DataFrame(Unpooled.buffer(bytes).writeZero(bytes))
            .stream(http.requests.get(0)));
    http.toClient();
    http.received.clear();
  }

  @AfterEach
  void close() {
    http.close();
    assertEquals(0, http.inFlight());
    assertEquals(0, http.connections.connections().open());
  }

  @Test
  void windowStaysFull_isResetAfterAnAnswersTimeAndTheOthersAreServed() {
    http.widen(WINDOW);
    http.request("GET", "/a", true);
    http.toServer();
    send(WINDOW + 1);
    new ClosingPhase(http.connections, http.server).assertGivenUp();

    Http2Headers head = new DefaultHttp2Headers().status("204");
    http.server.writeOutbound(
        new DefaultHttp2HeadersFrame(head, true).stream(http.requests.get(1)));
    http.toClient();
    assertEquals(List.of("RST 3", "HEADERS 5 end"), http.received);
    assertTrue(http.server.isOpen());
  }

  /** The end of a stream is DATA, but empty: it waits for no window. */
  @Test
  void windowFullAndNothingWaits_isEndedAtOnce() {
    send(WINDOW);
    ClosingPhase closing = new ClosingPhase(http.connections, http.server);
    closing.assertOver();
    http.toClient();
    assertEquals(List.of("DATA 3 end"), http.received);
  }
}
