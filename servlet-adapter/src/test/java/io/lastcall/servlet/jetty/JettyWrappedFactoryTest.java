package io.lastcall.servlet.jetty;

import io.lastcall.servlet.contract.ConnectionsEndedContract;
import java.util.List;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.util.component.ContainerLifeCycle;

/** A connection factory around Jetty's, as Dropwizard's, which counts connections, is. */
class JettyWrappedFactoryTest extends ConnectionsEndedContract<JettyFixture> {
  @Override
  protected JettyFixture create() {
    return new JettyFixture(new Counting(new HttpConnectionFactory()));
  }

  private static final class Counting extends ContainerLifeCycle implements ConnectionFactory {
    private final ConnectionFactory counted;

    Counting(ConnectionFactory counted) {
      this.counted = counted;
      addBean(counted);
    }

    @Override
    public String getProtocol() {
      return counted.getProtocol();
    }

    @Override
    public List<String> getProtocols() {
      return counted.getProtocols();
    }

    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
      return counted.newConnection(connector, endPoint);
    }
  }
}
