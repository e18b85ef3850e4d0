package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.codec.http.LastHttpContent;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Netty's codec does by itself, and the application must not notice. */
@Timeout(120)
final class Http1CodecTest {
  private final Harness http = new Harness();

  /** It drops whatever comes, so that nothing of it is part of a request. */
  @Test
  void behindAMalformedRequest_somethingComes_theConnectionIsIdleAllTheSame() {
    http.send("GET / HTTP/1.1\r\n: no name\r\n\r\n");
    http.respond("bad");
    assertTrue(http.received().endsWith("bad"));
    http.channel.runPendingTasks();
    http.get("/a");
    http.control.leave(Duration.ofDays(1));
    TrackedConnection.of(http.channel).closeIfIdle();
    http.channel.runPendingTasks();

    assertFalse(http.channel.isOpen());
  }

  /** It refuses more than 128 requests without a response. */
  @Test
  void behindTheLastResponse_manyRequests_theApplicationHearsOfNone() {
    http.get("/a");
    http.leave();
    http.channel.writeOutbound(Harness.head("text/plain"));
    for (int i = 0; i < 200; i++) {
      http.get("/b");
    }
    http.channel.checkException();
    http.channel.writeOutbound(LastHttpContent.EMPTY_LAST_CONTENT);

    assertTrue(http.received().endsWith("0\r\n\r\n"));
    assertEquals(List.of("GET /a"), http.seen);
  }
}
