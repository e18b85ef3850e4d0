package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.CoarseDrain;
import java.io.IOException;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http2.Http2Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A connector that cannot be drained exactly: each request is answered, and then it is closed. */
@Timeout(120)
class TomcatCoarseRoleTest {
  private static final String NIO2 = "org.apache.coyote.http11.Http11Nio2Protocol";

  private static TomcatFixture lenient(Connector connector) throws IOException {
    return new TomcatFixture(connector, TomcatServer::of);
  }

  /** As Tomcat's own listeners do, {@code LastcallListener} among them. */
  private static TomcatFixture initialised(Connector connector) throws IOException {
    return new TomcatFixture(
        connector,
        (initialising, filter) -> {
          try {
            initialising.getService().getServer().init();
          } catch (LifecycleException e) {
            throw new IllegalStateException(e);
          }
          return TomcatServer.of(initialising, filter);
        });
  }

  @Test
  void of_anotherProtocol_drainsCoarsely() throws Exception {
    CoarseDrain.run(lenient(new Connector(NIO2)));
  }

  @Test
  void of_anotherProtocolThatIsInitialised_listenerIsClosedAllTheSame() throws Exception {
    CoarseDrain.run(initialised(new Connector(NIO2)));
  }

  @Test
  void of_tomcatsOwnHttp2_drainsCoarsely() throws Exception {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new Http2Protocol());
    CoarseDrain.run(lenient(connector));
  }

  @Test
  void of_tomcatsOwnHttp2OnAnInitialisedConnector_listenerIsClosedAllTheSame() throws Exception {
    Connector connector = new Connector(new LastcallProtocol());
    connector.addUpgradeProtocol(new Http2Protocol());
    CoarseDrain.run(initialised(connector));
  }

  @Test
  void of_nothingInTheWay_drainsExactly() throws Exception {
    TomcatFixture exact = lenient(new Connector(new LastcallProtocol()));
    exact.start();
    assertTrue(exact.server().listsConnections());
    exact.close();
  }
}
