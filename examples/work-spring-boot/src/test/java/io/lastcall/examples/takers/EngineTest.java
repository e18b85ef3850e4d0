package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("all")
class EngineTest extends TakerContract {
  EngineTest() {
    super(EngineService.class, 1);
  }

  @Override
  List<String> prepare() {
    return List.of("--lastcall.stop-first=ordersEngine");
  }

  @Test
  void start_engineThatNothingNames_isNamedWithTheSetting() throws Exception {
    try (Service service = Service.start(EngineService.class, "--piece.time=1ms")) {
      service.awaitLines("trigger of a shutdown: ordersEngine. ", 1);
      assertEquals(1, service.count("set lastcall.stop-first=ordersEngine"), service::output);
    }
  }

  /** Bounded by DRAIN, and named; the engine ends what it has begun. */
  @Test
  void sigterm_otherTakersFailAndHang_theyAreNamedAndTheEngineStops() throws Exception {
    try (Service service =
        Service.start(
            EngineService.class,
            "--broken=true",
            "--piece.time=2s",
            "--lastcall.stop-first=failing,hanging,ordersEngine",
            "--lastcall.grace-period=60s",
            "--lastcall.propagation-delay=3s",
            "--lastcall.drain-timeout=8s")) {
      service.awaitStarted();
      service.awaitLines("taken ", 1);
      service.terminate();
      assertEquals(80, service.awaitExit(), service::output);
      assertEquals(service.said("taken"), service.said("done"), service::output);
      assertEquals(
          1, service.count("work source 'failing' did not finish: no connection"), service::output);
      assertEquals(
          1,
          service.count("work source 'hanging' did not finish: DRAIN has timed out"),
          service::output);
    }
  }
}
