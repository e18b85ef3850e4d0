package io.lastcall.servlet.jetty;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.lastcall.connection.FirstRequest;
import io.lastcall.servlet.contract.IdleCloseContract;
import io.lastcall.testing.RawClient;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.junit.jupiter.api.Test;

class JettyIdleCloseTest extends IdleCloseContract<JettyFixture> {
  private final AtomicBoolean hidden = new AtomicBoolean();

  @Override
  protected JettyFixture create() {
    return new JettyFixture();
  }

  @Override
  protected JettyFixture create(Supplier<FirstRequest> firstRequests) {
    return new JettyFixture(firstRequests);
  }

  /** The acceptor and the selectors have their threads for good. */
  @Override
  protected void startWithOneWorker() throws Exception {
    int others = 1 + container.connector.getSelectorManager().getSelectorCount();
    container.threads.setReservedThreads(0);
    container.threads.setMinThreads(others + 1);
    container.threads.setMaxThreads(others + 1);
    container.start();
  }

  /** As on the module path without its {@code --add-exports}. */
  @Test
  void closeIfIdle_parserCannotBeAsked_isSaidAndRequestsAreReadOn() throws Exception {
    replaceBy(new JettyFixture(new HidingFactory()));
    container.start();
    try (RawClient client = container.client()) {
      client.exchange("/plain");
      DrainingEndPoint endPoint = container.connector.endPoints().iterator().next();
      await().until(() -> endPoint.getFillInterest().isInterested());
      hidden.set(true);
      assertThrows(IllegalAccessError.class, endPoint::closeIfIdle);
      assertEquals("plain", client.exchange("/plain").body());
      hidden.set(false);
      await().until(() -> container.drain().isDone());
    }
  }

  private final class HidingFactory extends HttpConnectionFactory {
    @Override
    public Connection newConnection(Connector connector, EndPoint endPoint) {
      HttpConnection connection =
          new HttpConnection(getHttpConfiguration(), connector, endPoint) {
            @Override
            public HttpParser getParser() {
              if (hidden.get()) {
                throw new IllegalAccessError("not exported");
              }
              return super.getParser();
            }
          };
      return configure(connection, connector, endPoint);
    }
  }
}
