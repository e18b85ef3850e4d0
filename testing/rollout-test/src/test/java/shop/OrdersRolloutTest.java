package shop;

import static io.lastcall.rollout.LoadRequest.get;
import static io.lastcall.rollout.LoadRequest.post;
import static java.time.Duration.ofSeconds;

import io.lastcall.rollout.RollingUpdate;
import io.lastcall.rollout.RollingUpdateTest;
import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;

/** The page's example, on a service of the test's. */
@Timeout(300)
class OrdersRolloutTest {
  @BeforeAll
  static void packageOrders() throws IOException {
    OrdersJar.write();
  }

  @RollingUpdateTest
  void losesNothing(RollingUpdate rollout) {
    rollout
        .command("java", "-Ddelay=10000", "-jar", "target/orders.jar", "--server.port={port}")
        .ready("/readyz")
        .gracePeriod(ofSeconds(30))
        .lastRouterLeaves(ofSeconds(8))
        .load(get("/orders/1").rate(50).keepAlive(0.5))
        .load(post("/orders", "{\"item\": 7}").rate(5))
        .run()
        .assertNothingLost();
  }
}
