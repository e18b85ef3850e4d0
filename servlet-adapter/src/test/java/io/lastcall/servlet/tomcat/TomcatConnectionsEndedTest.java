package io.lastcall.servlet.tomcat;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.lastcall.servlet.contract.ConnectionsEndedContract;
import io.lastcall.testing.RawClient;
import java.io.IOException;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.junit.jupiter.api.Test;

class TomcatConnectionsEndedTest extends ConnectionsEndedContract<TomcatFixture> {
  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  /** A look at all connections may come between Tomcat's close of one and its forgetting of it. */
  @Test
  void connection_thatTomcatHasClosedMeanwhile_isOneThatHasEnded() throws Exception {
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      SocketWrapperBase<?> wrapper = container.endpoint().getConnections().iterator().next();
      wrapper.close();
      assertNotNull(container.endpoint().connection(wrapper));
      assertFalse(container.endpoint().getConnections().contains(wrapper));
    }
  }
}
