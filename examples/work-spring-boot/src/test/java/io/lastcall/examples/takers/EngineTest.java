package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

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
      service.awaitLines("its web server: ordersEngine. ", 1);
      assertEquals(1, service.count("set lastcall.stop-first=ordersEngine"), service::output);
    }
  }
}
