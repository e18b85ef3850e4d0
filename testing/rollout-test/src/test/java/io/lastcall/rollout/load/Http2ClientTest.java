package io.lastcall.rollout.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class Http2ClientTest {
  private static final String OK = frame(1, 4, 1, "\u0088") + frame(0, 1, 1, "ok");
  private static final String NO_LAST_STREAM = "\u007f\u00ff\u00ff\u00ff\0\0\0\0";

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  /** A frame, a byte for each character: type, flags, stream, payload. */
  private static String frame(int type, int flags, int stream, String payload) {
    return "\0\0"
        + (char) payload.length()
        + (char) type
        + (char) flags
        + "\0\0\0"
        + (char) stream
        + payload;
  }

  /** Answers each request, once its head is there, by the next of these bytes. */
  private static StubServer.Script answers(String... answers) {
    return peer -> {
      for (String answer : answers) {
        StringBuilder read = new StringBuilder();
        while (read.indexOf("service") < 0) {
          read.append((char) peer.in().read());
        }
        peer.write(answer);
      }
    };
  }

  private Http2Client client(int port) {
    return new Http2Client(
        (choice, now) -> 0,
        pod -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        Ask.settings(Duration.ofSeconds(10)),
        threads);
  }

  private static Exchange call(Client client, boolean keepAlive) {
    List<Exchange> exchanges =
        client.call(new Arrival(0, 0, Ask.FAST, keepAlive, 0), System.nanoTime());
    assertEquals(1, exchanges.size());
    return exchanges.get(0);
  }

  private Outcome against(String answer) throws IOException {
    try (StubServer server = new StubServer(answers(answer));
        Client client = client(server.port())) {
      return call(client, false).outcome();
    }
  }

  @Test
  void call_answered_isOk() throws IOException {
    assertEquals(Outcome.OK, against(frame(4, 0, 0, "") + OK));
    assertEquals(Outcome.OK, against(frame(1, 12, 1, "\2\u0088\0\0") + frame(0, 9, 1, "\1ok\0")));
  }

  @Test
  void call_503_isUnavailable() throws IOException {
    assertEquals(Outcome.UNAVAILABLE, against(frame(1, 5, 1, "H\u0003503")));
    assertEquals(Outcome.UNAVAILABLE, against(frame(1, 5, 1, "\u0008\u0083l\u000c\u00ff")));
  }

  @Test
  void call_otherStatus_isThat() throws IOException {
    assertEquals(Outcome.OTHER_STATUS, against(frame(1, 5, 1, "\u008d")));
    assertEquals(Outcome.OTHER_STATUS, against(frame(1, 5, 1, "H\u0003502")));
  }

  @Test
  void call_goAwayThatLeavesItOut_isRefused() throws IOException {
    assertEquals(Outcome.REFUSED, against(frame(7, 0, 0, "\0\0\0\0\0\0\0\0")));
  }

  @Test
  void call_reset_isReset() throws IOException {
    assertEquals(Outcome.RESET, against(frame(3, 0, 1, "\0\0\0\u0007")));
  }

  @Test
  void call_connectionEnds_isEofOrTruncated() throws IOException {
    assertEquals(Outcome.EOF, against(""));
    assertEquals(Outcome.TRUNCATED, against(frame(1, 4, 1, "\u0088")));
  }

  @Test
  void call_nobodyListens_isRefused() throws IOException {
    int port;
    try (StubServer server = new StubServer()) {
      port = server.port();
    }
    try (Client client = client(port)) {
      assertEquals(Outcome.REFUSED, call(client, true).outcome());
    }
  }

  @Test
  void call_afterGoAway_hasAConnectionOfItsOwn() throws IOException {
    String second = frame(1, 4, 3, "\u0088") + frame(0, 1, 3, "ok");
    try (StubServer server =
            new StubServer(answers(OK, frame(7, 0, 0, NO_LAST_STREAM) + second), answers(OK));
        Client client = client(server.port())) {
      assertFalse(call(client, true).reused());
      Exchange last = call(client, true);
      assertTrue(last.reused());
      assertTrue(last.close());
      assertEquals(Outcome.OK, last.outcome());
      Exchange next = call(client, true);
      assertFalse(next.reused());
      assertEquals(Outcome.OK, next.outcome());
    }
  }
}
