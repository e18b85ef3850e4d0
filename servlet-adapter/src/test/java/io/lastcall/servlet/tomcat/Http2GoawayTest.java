package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.connection.HttpConnection;
import io.lastcall.servlet.RawHttp2Client;
import io.lastcall.servlet.RawHttp2Client.Frame;
import io.lastcall.servlet.TomcatFixture;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a connection of HTTP/2 ends, frame by frame. */
@Timeout(30)
class Http2GoawayTest {
  private static final int ANY_STREAM = Integer.MAX_VALUE;

  private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();
  private TomcatFixture tomcat;

  @BeforeEach
  void create() throws Exception {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    tomcat = new TomcatFixture(connector);
    tomcat.serve("/plain", (request, response) -> response.getWriter().print("plain"));
    tomcat.serve("/async", (request, response) -> started.add(request.startAsync()));
    tomcat.start();
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.close();
  }

  private CompletableFuture<?> drain() throws Exception {
    tomcat.leave();
    tomcat.server.stopListening(TomcatFixture.limit());
    tomcat.server.connections().forEach(HttpConnection::closeIfIdle);
    return tomcat.server.connectionsEnded().toCompletableFuture();
  }

  /** Reads the first GOAWAY; returns the PING behind it. */
  private static Frame awaitAnnouncement(RawHttp2Client client) throws Exception {
    assertEquals(ANY_STREAM, client.next(RawHttp2Client.GOAWAY).lastStream());
    return client.next(RawHttp2Client.PING);
  }

  @Test
  void drain_answerToAnotherPing_isNotTheClientsWord() throws Exception {
    try (RawHttp2Client client = new RawHttp2Client(tomcat.port())) {
      CompletableFuture<?> ended = drain();
      Frame ping = awaitAnnouncement(client);
      client.acknowledgeAnother();
      client.get(1, "/plain");
      assertEquals(5, client.response(1), "on its way when GOAWAY came");
      assertFalse(ended.isDone());
      client.acknowledge(ping);
      assertEquals(ANY_STREAM, client.next(RawHttp2Client.GOAWAY).lastStream());
      assertTrue(client.ended());
      ended.get();
    }
  }
}
