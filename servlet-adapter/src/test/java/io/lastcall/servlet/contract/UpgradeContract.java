package io.lastcall.servlet.contract;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.lastcall.servlet.ContainerFixture;
import io.lastcall.testing.RawClient;
import io.lastcall.testing.RawClient.Reply;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A connection that leaves HTTP is not told to close: what {@code Connection} says is its own. */
public abstract class UpgradeContract<C extends ContainerFixture> extends ContainerContract<C> {
  private static final String UPGRADE =
      "GET /it HTTP/1.1\r\nHost: test\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n";

  /** That the application's close of an upgraded connection ends it. */
  protected void assertEndedByTheApplication(RawClient client) throws IOException {
    assertTrue(client.ended());
  }

  @Test
  void leaving_upgrade_saysNothingOfClose() throws Exception {
    container.serve("/it", (request, response) -> request.upgrade(Ending.class)).start();
    container.leave();
    try (RawClient client = container.client()) {
      Reply reply = client.send(UPGRADE).readHead();
      assertEquals(101, reply.status());
      String said = String.valueOf(reply.header("connection"));
      assertFalse(said.contains("close"), said);
      assertEndedByTheApplication(client);
    }
  }

  @Test
  void leaving_upgradeNotTaken_saysClose() throws Exception {
    container.serve("/it", (request, response) -> response.getWriter().print("x")).start();
    container.leave();
    try (RawClient client = container.client()) {
      assertTrue(client.send(UPGRADE).read().saysClose());
      assertTrue(client.ended());
    }
  }

  @Test
  void connectionsEnded_upgraded_doesNotWaitForIt() throws Exception {
    container.serve("/it", (request, response) -> request.upgrade(Staying.class)).start();
    try (RawClient client = container.client()) {
      assertEquals(101, client.send(UPGRADE).readHead().status());
      await().until(() -> container.drain().isDone());
    }
  }

  /** A protocol that stays. */
  public static final class Staying implements HttpUpgradeHandler {
    @Override
    public void init(WebConnection connection) {}

    @Override
    public void destroy() {}
  }

  /** A protocol that ends as it begins. */
  public static final class Ending implements HttpUpgradeHandler {
    @Override
    public void init(WebConnection connection) {
      try {
        connection.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void destroy() {}
  }
}
