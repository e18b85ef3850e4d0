package io.lastcall.servlet.tomcat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.lastcall.connection.LongLivedConnection;
import io.lastcall.servlet.contract.WebSocketContract;
import io.lastcall.servlet.websocket.WebSocketSessions;
import io.lastcall.testing.WebSocketClient;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.catalina.connector.Connector;
import org.apache.tomcat.websocket.server.WsContextListener;
import org.junit.jupiter.api.Test;

class TomcatWebSocketTest extends WebSocketContract<TomcatFixture> {
  private static final Long HOUR = Duration.ofHours(1).toMillis();

  @Override
  protected TomcatFixture create() throws IOException {
    return new TomcatFixture();
  }

  @Override
  protected WebSocketSessions sessions() {
    return new WebSocketSessions(container.connectionControl.connections());
  }

  /** As an application does, when the context starts; with a servlet for the filter's sake. */
  @Override
  protected void add(ServerEndpointConfig endpoint) {
    // Tomcat's own is 20 s, which is what a case has.
    endpoint.getUserProperties().put("org.apache.tomcat.websocket.BLOCKING_SEND_TIMEOUT", HOUR);
    container.context.addApplicationListener(WsContextListener.class.getName());
    container.context.addServletContainerInitializer(
        (classes, context) -> context.addListener(new Registration(endpoint)), null);
    container.serve("/", (request, response) -> response.sendError(404));
  }

  private record Registration(ServerEndpointConfig endpoint) implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
      String name = ServerContainer.class.getName();
      try {
        ((ServerContainer) event.getServletContext().getAttribute(name)).addEndpoint(endpoint);
      } catch (DeploymentException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void closeAll_clientTakesNothingIn_isGivenUpOnAndHoldsUpNobody() throws Exception {
    assertThatAFullClientHoldsUpNobody();
  }

  /** Else it closes the connection without a word behind 50 ms. */
  @Test
  void opened_closeFrame_tomcatGivesItASecondToLeave() throws Exception {
    CompletableFuture<Object> given = new CompletableFuture<>();
    replaceBy(create());
    add(
        ServerEndpointConfig.Builder.create(Endpoint.class, "/ws")
            .configurator(new Opening(given))
            .build());
    container.start();
    connect();
    assertEquals(LongLivedConnection.ANSWER.toMillis(), given.get());
  }

  /** Makes endpoints that register their session, and tell what Tomcat finds there. */
  private final class Opening extends ServerEndpointConfig.Configurator {
    private final CompletableFuture<Object> given;

    Opening(CompletableFuture<Object> given) {
      this.given = given;
    }

    @Override
    public <T> T getEndpointInstance(Class<T> type) {
      return type.cast(
          new Endpoint() {
            @Override
            public void onOpen(Session session, EndpointConfig config) {
              sessions().opened(session);
              given.complete(
                  session
                      .getUserProperties()
                      .get("org.apache.tomcat.websocket.ABNORMAL_SESSION_CLOSE_SEND_TIMEOUT"));
            }
          });
    }
  }

  @Test
  void session_onAnotherDrainedConnector_isDeregistered() throws Exception {
    Connector other = new Connector(new LastcallProtocol());
    TomcatServer drained = new TomcatServer(other, container.filter);
    opensAndEndsOn(other);
    assertEquals("tomcat:" + other.getLocalPort(), drained.name());
  }

  @Test
  void session_onAConnectorThatIsNotDrained_isDeregistered() throws Exception {
    opensAndEndsOn(new Connector());
  }

  private void opensAndEndsOn(Connector other) throws Exception {
    other.setPort(0);
    other.setProperty("address", "127.0.0.1");
    container.tomcat.getService().addConnector(other);
    WebSocketClient one = new WebSocketClient(other.getLocalPort());
    assertEquals("hello", one.exchange("hello"));
    assertEquals(1, open());
    one.close();
    await().until(() -> open() == 0);
  }
}
