package io.lastcall.rollout.load;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class Http1ClientTest {
  private static final String FAST = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
  private static final String LAST =
      "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok";
  private static final StubServer.Script ANSWER_ONE =
      peer -> {
        peer.readHead();
        peer.write(FAST);
      };

  private final IdleConnections idle = new IdleConnections(3);

  private Client client(int port) {
    return client(port, Duration.ofSeconds(20));
  }

  private Client client(int port, Duration timeout) {
    return new Http1Client(
        (choice, now) -> 0,
        idle,
        pod -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        Ask.settings(timeout));
  }

  private static Arrival arrival(Request request, boolean keepAlive) {
    return new Arrival(0, 0, request, keepAlive, 0.5);
  }

  private static Exchange one(Client client, Request request, boolean keepAlive) {
    List<Exchange> exchanges = client.call(arrival(request, keepAlive), System.nanoTime());
    assertEquals(1, exchanges.size());
    return exchanges.get(0);
  }

  private Outcome fastAgainst(StubServer.Script script) throws IOException {
    try (StubServer server = new StubServer(script)) {
      return one(client(server.port()), Ask.FAST, false).outcome();
    }
  }

  @Test
  void call_answered_isOk() throws IOException {
    assertEquals(Outcome.OK, fastAgainst(ANSWER_ONE));
  }

  @Test
  void call_nobodyListens_isRefused() throws IOException {
    int port;
    try (StubServer server = new StubServer()) {
      port = server.port();
    }
    assertEquals(Outcome.REFUSED, one(client(port), Ask.FAST, true).outcome());
  }

  @Test
  void call_rstInsteadOfAnAnswer_isReset() throws IOException {
    assertEquals(
        Outcome.RESET,
        fastAgainst(
            peer -> {
              peer.readHead();
              peer.socket().setSoLinger(true, 0);
            }));
  }

  @Test
  void call_bareFin_isEof() throws IOException {
    assertEquals(Outcome.EOF, fastAgainst(StubServer.Peer::readHead));
  }

  @Test
  void call_finInTheBody_isTruncated() throws IOException {
    assertEquals(
        Outcome.TRUNCATED,
        fastAgainst(
            peer -> {
              peer.readHead();
              peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nok");
            }));
  }

  @Test
  void call_status503_isUnavailable() throws IOException {
    assertEquals(
        Outcome.UNAVAILABLE,
        fastAgainst(
            peer -> {
              peer.readHead();
              peer.write("HTTP/1.1 503 Late\r\nContent-Length: 0\r\n\r\n");
            }));
  }

  @Test
  void call_status500_isOtherStatus() throws IOException {
    assertEquals(
        Outcome.OTHER_STATUS,
        fastAgainst(
            peer -> {
              peer.readHead();
              peer.write("HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");
            }));
  }

  @Test
  void call_silence_isTimeout() throws IOException {
    try (StubServer server = new StubServer(peer -> peer.readBody(Integer.MAX_VALUE))) {
      Client client = client(server.port(), Duration.ofMillis(50));

      assertEquals(Outcome.TIMEOUT, one(client, Ask.FAST, false).outcome());
    }
  }

  @Test
  void call_bodyOfOtherLength_isWrongBody() throws IOException {
    try (StubServer server = new StubServer(ANSWER_ONE)) {
      assertEquals(
          Outcome.WRONG_BODY, one(client(server.port()), Ask.of("other"), false).outcome());
    }
  }

  @Test
  void call_uploadAnsweredWithItsLength_isOk() throws IOException {
    StubServer.Script script =
        peer -> {
          peer.readHead();
          peer.readBody(10_000);
          peer.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n10000");
        };
    try (StubServer server = new StubServer(script)) {
      assertEquals(Outcome.OK, one(client(server.port()), Ask.UPLOAD, true).outcome());
    }
  }

  @Test
  void call_uploadAnsweredEarly_takesTheAnswer() throws IOException {
    StubServer.Script script =
        peer -> {
          peer.readHead();
          peer.write("HTTP/1.1 503 Late\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
          peer.readBody(10_000);
        };
    try (StubServer server = new StubServer(script)) {
      Exchange exchange = one(client(server.port()), Ask.UPLOAD, true);

      assertEquals(Outcome.UNAVAILABLE, exchange.outcome());
      assertTrue(exchange.close());
    }
  }

  @Test
  void call_answerBegunBeforeTheBodyWasSent_sendsTheRest() throws IOException {
    for (String field : List.of("", "Connection: close\r\n")) {
      StubServer.Script script =
          peer -> {
            peer.readHead();
            peer.write("HTTP/1.1 200 OK\r\n" + field + "Transfer-Encoding: chunked\r\n\r\n");
            peer.write("5\r\n10000\r\n");
            peer.readBody(10_000);
            peer.write("0\r\n\r\n");
          };
      try (StubServer server = new StubServer(script)) {
        Exchange exchange = one(client(server.port()), Ask.UPLOAD, false);
        assertEquals(Outcome.OK, exchange.outcome(), () -> field + exchange.detail());
      }
    }
  }

  @Test
  void call_keepAlive_reusesTheConnection() throws IOException {
    StubServer.Script script =
        peer -> {
          ANSWER_ONE.serve(peer);
          ANSWER_ONE.serve(peer);
        };
    try (StubServer server = new StubServer(script)) {
      Client client = client(server.port());

      assertFalse(one(client, Ask.FAST, true).reused());
      assertTrue(one(client, Ask.FAST, true).reused());
    }
  }

  @Test
  void call_afterConnectionClose_opensANewConnection() throws IOException {
    StubServer.Script last =
        peer -> {
          peer.readHead();
          peer.write(LAST);
          // Stays open: it is the client that has to give the connection up.
          peer.readHead();
        };
    try (StubServer server = new StubServer(last, ANSWER_ONE)) {
      Client client = client(server.port());

      assertTrue(one(client, Ask.FAST, true).close());
      Exchange second = one(client, Ask.FAST, true);

      assertEquals(Outcome.OK, second.outcome());
      assertFalse(second.reused());
    }
  }

  @Test
  void call_finOnTheIdleConnection_opensANewOne() throws Exception {
    try (StubServer server = new StubServer(ANSWER_ONE, ANSWER_ONE)) {
      Client client = client(server.port());
      one(client, Ask.FAST, true);
      server.awaitScript();

      Exchange second = one(client, Ask.FAST, true);

      assertEquals(Outcome.OK, second.outcome());
      assertFalse(second.reused());
    }
  }

  @Test
  void closeEnded_finOnAnIdleConnection_closesOurSideToo() throws Exception {
    StubServer.Script halfClose =
        peer -> {
          ANSWER_ONE.serve(peer);
          peer.socket().shutdownOutput();
          // Ends only when the client's FIN arrives.
          peer.readHead();
        };
    try (StubServer server = new StubServer(halfClose)) {
      one(client(server.port()), Ask.FAST, true);
      await()
          .until(
              () -> {
                idle.closeEnded();
                return idle.isEmpty();
              });

      server.awaitScript();
    }
  }

  @Test
  void call_pipelinedPair_countsBoth() throws IOException {
    assertEquals(List.of(Outcome.OK, Outcome.OK), pair(FAST + LAST));
  }

  @Test
  void call_pipelinedPairWithCloseAfterTheFirst_sendsTheSecondElsewhere() throws IOException {
    assertEquals(List.of(Outcome.OK, Outcome.OK), pair(LAST, ANSWER_ONE));
  }

  @Test
  void call_pipelinedPairRefusedWithClose_sendsTheSecondElsewhere() throws IOException {
    String late = "HTTP/1.1 503 Late\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
    assertEquals(List.of(Outcome.UNAVAILABLE, Outcome.OK), pair(late, ANSWER_ONE));
  }

  @Test
  void call_pipelinedPairCutAfterTheFirst_losesTheSecond() throws IOException {
    assertEquals(List.of(Outcome.OK, Outcome.EOF), pair(FAST));
  }

  /**
   * How the two of a pair end.
   *
   * @param answer what the server writes on their connection, once it has read both
   * @param elsewhere what it does on another
   */
  private List<Outcome> pair(String answer, StubServer.Script... elsewhere) throws IOException {
    StubServer.Script both =
        peer -> {
          peer.readHead();
          peer.readHead();
          peer.write(answer);
        };
    StubServer.Script[] scripts =
        Stream.concat(Stream.of(both), Stream.of(elsewhere)).toArray(StubServer.Script[]::new);
    try (StubServer server = new StubServer(scripts)) {
      return client(server.port()).call(arrival(Ask.PIPELINED, true), System.nanoTime()).stream()
          .map(Exchange::outcome)
          .toList();
    }
  }
}
