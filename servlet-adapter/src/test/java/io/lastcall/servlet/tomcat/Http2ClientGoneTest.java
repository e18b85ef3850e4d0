package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.RawHttp2Client;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.AbstractProtocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that connects and thinks better of it, as those do that open more than they need. */
@Timeout(30)
class Http2ClientGoneTest {
  private static final byte[] PREFACE =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SETTINGS = {0, 0, 0, RawHttp2Client.SETTINGS, 0, 0, 0, 0, 0};

  /** What Tomcat's workers would do, done by the test. */
  private final BlockingQueue<Runnable> work = new LinkedBlockingQueue<>();

  private TomcatFixture tomcat;

  @BeforeEach
  void create() throws Exception {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new LastcallHttp2Protocol());
    ((AbstractProtocol<?>) connector.getProtocolHandler()).setExecutor(work::add);
    tomcat = new TomcatFixture(connector).start();
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.close();
  }

  @Test
  void connection_resetBehindTheClientsSettings_isClosedAndNotWaitedFor() throws Exception {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), tomcat.port())) {
      client.getOutputStream().write(PREFACE);
      work.take().run();
      assertEquals(
          RawHttp2Client.SETTINGS,
          new DataInputStream(client.getInputStream()).readInt() & 0xFF,
          "the type in the head of Tomcat's first frame");
      client.getOutputStream().write(SETTINGS);
      client.setSoLinger(true, 0);
    }
    work.take().run();
    assertTrue(tomcat.server.connections().isEmpty());
    tomcat.leave();
    tomcat.server.stopListening(TomcatFixture.limit());
    assertTrue(tomcat.endConnections().isDone());
  }
}
