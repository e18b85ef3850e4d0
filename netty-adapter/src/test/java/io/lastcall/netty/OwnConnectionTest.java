package io.lastcall.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.testing.RawClient;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The connection that a listener's end makes to itself is no client's. */
@Timeout(30)
final class OwnConnectionTest {
  @ParameterizedTest
  @EnumSource
  void stopListening_neverServed_setsUpNoPipeline(Transport transport) throws Exception {
    transport.assumeAvailable();
    TestServer server = new TestServer(transport, null);
    server.server.stopListening(TestServer.soon());
    server.close();

    assertEquals(0, server.setUp.get());
  }

  @ParameterizedTest
  @EnumSource
  void stopListening_clientBeforeIt_isServed(Transport transport) throws Exception {
    transport.assumeAvailable();
    TestServer server = new TestServer(transport, null);
    try (RawClient client = server.connect()) {
      server.server.stopListening(TestServer.soon());
      client.get("/fast");

      client.read();
      assertEquals(1, server.setUp.get());
    } finally {
      server.close();
    }
  }
}
