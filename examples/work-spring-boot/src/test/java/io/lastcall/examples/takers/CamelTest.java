package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("all")
class CamelTest extends TakerContract {
  CamelTest() {
    super(CamelService.class, 1);
  }

  @Override
  List<String> prepare() {
    return List.of("--spring.autoconfigure.exclude=");
  }

  /** Routers send still: such a route is no taker. */
  @Test
  void sigterm_routeOfAServer_servesOn() throws Exception {
    try (Service service =
        Service.start(
            CamelService.class,
            "--spring.autoconfigure.exclude=",
            "--piece.time=10ms",
            "--lastcall.grace-period=60s",
            "--lastcall.propagation-delay=15s")) {
      service.awaitStarted();
      service.awaitLines("taken ", 1);
      service.terminate();
      service.awaitLines("Shutdown begun", 1);
      assertEquals("hello", service.get("/hello").get().body(), service::output);
      assertEquals(0, service.awaitExit(), service::output);
    }
  }
}
