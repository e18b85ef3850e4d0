package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * What holds for every taker. The signal comes in a piece of work that ends within the propagation
 * delay, with more pieces waiting: a taker that goes on takes another, which the end of DRAIN cuts.
 */
@Timeout(600)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class TakerContract {
  private static final List<String> SHAPE =
      List.of(
          "--piece.time=3s",
          "--lastcall.grace-period=60s",
          "--lastcall.propagation-delay=5s",
          "--lastcall.drain-timeout=8s");

  private final Class<?> application;
  private final int atATime;

  /** Begun before the signal. */
  private List<String> atSignal = List.of();

  /**
   * @param atATime how many pieces it has in work
   */
  TakerContract(Class<?> application, int atATime) {
    this.application = application;
    this.atATime = atATime;
  }

  /** Returns its settings, after more pieces were put where it takes them from. */
  abstract List<String> prepare() throws Exception;

  /** Fails unless all that was not begun can be taken by another process at once. */
  void assertLeft(List<String> ended) throws Exception {}

  private Service inAPiece(String... more) throws Exception {
    Service service =
        Service.start(
            application,
            Stream.of(SHAPE, prepare(), List.of(more))
                .flatMap(List::stream)
                .toArray(String[]::new));
    service.awaitStarted();
    // One that has only just begun: on a busy machine others have ended before all had started.
    service.awaitLines("taken ", service.said("taken").size() + atATime);
    atSignal = service.said("taken");
    service.terminate();
    return service;
  }

  @Test
  void sigterm_inAPiece_itEndsAndNoOtherBegins() throws Exception {
    try (Service service = inAPiece()) {
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(atSignal, service.said("taken"), service::output);
      assertEquals(
          atSignal.stream().sorted().toList(),
          service.said("done").stream().sorted().toList(),
          service::output);
      assertEquals(1, service.count("Shutdown clean"), service::output);
      assertLeft(service.said("done"));
    }
  }

  /** The row without: what is said above is not so by itself. */
  @Test
  void sigterm_inAPieceWithoutItsTaker_anotherBegins() throws Exception {
    try (Service service = inAPiece("--lastcall.work.enabled=false")) {
      service.awaitExit();
      assertNotEquals(atSignal, service.said("taken"), service::output);
    }
  }
}
