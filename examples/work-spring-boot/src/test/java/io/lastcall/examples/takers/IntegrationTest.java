package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("all")
class IntegrationTest extends BacklogContract {
  private static final int ORDERS = 4;

  IntegrationTest() throws Exception {
    super(IntegrationService.class, Backlogs.integration());
  }

  private Service start(String... arguments) throws Exception {
    return Service.start(
        IntegrationService.class,
        Stream.concat(backlog().arguments().stream(), Stream.of(arguments)).toArray(String[]::new));
  }

  private static void terminateWithOrders(Service service) throws Exception {
    service.awaitStarted();
    for (int i = 0; i < ORDERS; i++) {
      assertEquals("accepted", service.get("/order?id=order-" + i).get(3, TimeUnit.MINUTES).body());
    }
    service.terminate();
  }

  @Test
  void sigterm_messagesInAQueue_areHandled() throws Exception {
    try (Service service =
        start(
            "--piece.time=1s", "--lastcall.grace-period=60s", "--lastcall.propagation-delay=1s")) {
      terminateWithOrders(service);
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(ORDERS, service.count("done accepted"), service::output);
    }
  }

  @Test
  void sigterm_moreMessagesThanDrainCanHandle_areNamedByTheirNumber() throws Exception {
    try (Service service =
        start(
            "--piece.time=6s", "--lastcall.grace-period=12s", "--lastcall.propagation-delay=1s")) {
      terminateWithOrders(service);
      assertEquals(80, service.awaitExit(), service::output);
      long left = ORDERS - service.count("done accepted");
      assertTrue(left > 0, service::output);
      assertEquals(1, service.count(left + " of work 'channel orders'"), service::output);
    }
  }
}
