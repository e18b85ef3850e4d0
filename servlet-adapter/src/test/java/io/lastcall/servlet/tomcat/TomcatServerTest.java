package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.contract.ServerContract;
import java.io.IOException;
import org.apache.catalina.connector.Connector;
import org.junit.jupiter.api.Test;

class TomcatServerTest extends ServerContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /** At its limit the acceptor accepts nothing: that is one connection. */
  @Override
  protected void startAcceptingNothing() throws Exception {
    container.connector.setProperty("maxConnections", "1");
    container.start();
  }

  @Override
  protected boolean isInNativeCode(Thread thread) {
    return isOfTheConnector(thread, "-Poller") || isOfTheConnector(thread, "-Acceptor");
  }

  @Override
  protected boolean isToEnd(Thread thread) {
    return isOfTheConnector(thread, "exec");
  }

  private static boolean isOfTheConnector(Thread thread, String part) {
    return thread.getName().startsWith("http-nio") && thread.getName().contains(part);
  }

  @Test
  void create_otherProtocol_isRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new TomcatServer(
                    new Connector("org.apache.coyote.http11.Http11Nio2Protocol"),
                    container.filter));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("Http11Nio2Protocol"));
    assertTrue(message.contains("LastcallProtocol"));
  }

  @Test
  void protocolName_givenToAConnector_isAccepted() {
    Connector connector = new Connector(LastcallProtocol.class.getName());
    assertEquals("tomcat:-1", new TomcatServer(connector, container.filter).name());
  }
}
