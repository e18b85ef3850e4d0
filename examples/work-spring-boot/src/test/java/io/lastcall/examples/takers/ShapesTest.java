package io.lastcall.examples.takers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Takers that nobody knows. The signal comes in a piece. */
@Timeout(600)
@Tag("all")
class ShapesTest {
  private List<String> atSignal = List.of();

  /** The piece has just begun: it takes longer than the delay, and ends within the grace period. */
  private Service inAPiece(String shape, String... more) throws Exception {
    Service service = start(shape, "8s", more);
    int before = service.said("taken").size();
    service.awaitLines("taken ", before + 1);
    atSignal = service.said("taken");
    service.terminate();
    return service;
  }

  /** The piece does not end by itself, however slow the machine is. */
  private static Service inALongPiece(String shape) throws Exception {
    Service service = start(shape, "1h");
    service.awaitLines("taken ", 1);
    service.terminate();
    return service;
  }

  private static Service start(String shape, String time, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.add("--shape=" + shape);
    arguments.add("--piece.time=" + time);
    arguments.add("--lastcall.grace-period=60s");
    arguments.add("--lastcall.propagation-delay=1s");
    Service service = Service.start(ShapesService.class, arguments.toArray(String[]::new));
    service.awaitLines("started service", 1);
    return service;
  }

  @ParameterizedTest
  @CsvSource({
    "plainLifecycle, plainLifecycle",
    "closeable, closeable",
    "destroyMethod, destroyMethod.shutdown",
    "readyLoop, readyLoop.stop",
    "neverEnds, neverEnds.<a method that stops it>",
    "daemon, daemon.<a method that stops it>"
  })
  void sigterm_inAPieceOfATakerThatNothingStops_isNamedAndTheEndIsNotClean(
      String shape, String setting) throws Exception {
    try (Service service = inALongPiece(shape)) {
      assertEquals(80, service.awaitExit(), service::output);
      assertEquals(List.of(), service.said("done"), service::output);
      assertEquals(0, service.count("Shutdown clean"), service::output);
      assertEquals(1, service.count("trigger of a shutdown: " + shape + ". "), service::output);
      assertEquals(1, service.count("lastcall.stop-first=" + setting), service::output);
      assertTrue(service.count("thread orders (" + shape + ")") > 0, service::output);
    }
  }

  /** DRAIN would wait for the loop in vain, and interrupt it. */
  @ParameterizedTest
  @ValueSource(strings = {"onThePool", "onTheTaskExecutor", "async"})
  void sigterm_inAPieceOfALoopOnAnExecutor_itEndsWithItsBean(String shape) throws Exception {
    try (Service service = inAPiece(shape)) {
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(service.said("taken"), service.said("done"), service::output);
      assertEquals(1, service.count("trigger of a shutdown: " + shape + ". "), service::output);
      assertEquals(1, service.count("Shutdown clean"), service::output);
    }
  }

  @Test
  void sigterm_inAPieceOfALoopOnAnExecutorWhoseEndFails_theEndNamesItsBean() throws Exception {
    try (Service service = inAPiece("failingEnd")) {
      assertEquals(80, service.awaitExit(), service::output);
      assertEquals(service.said("taken"), service.said("done"), service::output);
      assertTrue(service.count("the end of failingEnd: ") > 0, service::output);
    }
  }

  @Test
  void sigterm_inAPieceOfALoopOnAnExecutorThatNothingEnds_theEndIsNotClean() throws Exception {
    try (Service service = inAPiece("endlessTask")) {
      assertEquals(80, service.awaitExit(), service::output);
      assertEquals(1, service.said("interrupted").size(), service::output);
      assertEquals(0, service.count("Shutdown clean"), service::output);
    }
  }

  /** The JVM waits for none, and lists none. */
  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void sigterm_inAPieceOfAVirtualThread_isNamedAndTheEndIsNotClean() throws Exception {
    try (Service service = inALongPiece("virtual")) {
      assertEquals(80, service.awaitExit(), service::output);
      assertEquals(0, service.count("Shutdown clean"), service::output);
      assertEquals(1, service.count("lastcall.stop-first=virtual.end"), service::output);
      assertTrue(
          service.output().matches("(?s).*thread virtual thread \\d+ \\(virtual\\).*"),
          service::output);
    }
  }

  @Test
  @EnabledForJreRange(min = JRE.JAVA_21)
  void sigterm_inAPieceOfAVirtualThreadThatIsNamed_itEnds() throws Exception {
    assertEndsNamed("virtual.end");
  }

  /** The library's stop interrupts its thread, which has ended then. */
  @Test
  void sigterm_inAPieceOnAThreadOfALibrary_theEndIsNotClean() throws Exception {
    try (Service service = inALongPiece("lent")) {
      assertEquals(80, service.awaitExit(), service::output);
      assertEquals(1, service.said("interrupted").size(), service::output);
      assertEquals(0, service.count("Shutdown clean"), service::output);
      assertTrue(
          service.output().matches("(?s).*as the context's beans were destroyed: .*\\(lent\\).*"),
          service::output);
    }
  }

  @Test
  void start_schedulerInAField_isNamedBeforeItsFirstRun() throws Exception {
    try (Service service =
        Service.start(ShapesService.class, "--shape=ownScheduler", "--piece.time=1ms")) {
      service.awaitLines("trigger of a shutdown: ownScheduler. ", 1);
      assertEquals(1, service.count("lastcall.stop-first=ownScheduler.end"), service::output);
    }
  }

  /** No false alarm: nothing says that it has a piece. */
  @Test
  void sigterm_daemonThatPauses_isNamedAndTheEndIsClean() throws Exception {
    try (Service service = inAPiece("scheduled", "--refreshing=true")) {
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(1, service.count("Shutdown clean"), service::output);
      assertEquals(1, service.count("trigger of a shutdown: refreshing. "), service::output);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"plainLifecycle", "closeable", "destroyMethod.shutdown", "readyLoop.stop"})
  void sigterm_inAPieceOfATakerThatIsNamed_itEndsAndNoOtherBegins(String setting) throws Exception {
    assertEndsNamed(setting);
  }

  private void assertEndsNamed(String setting) throws Exception {
    String shape = setting.replaceAll("[.].*", "");
    try (Service service = inAPiece(shape, "--lastcall.stop-first=" + setting)) {
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(atSignal, service.said("taken"), service::output);
      assertEquals(atSignal, service.said("done"), service::output);
      assertEquals(1, service.count("Shutdown clean"), service::output);
      assertEquals(0, service.count("trigger of a shutdown: "), service::output);
    }
  }

  /** Spring's own shape needs no line. */
  @Test
  void sigterm_inAScheduledRun_itEndsAndNoOtherBegins() throws Exception {
    try (Service service = inAPiece("scheduled")) {
      assertEquals(0, service.awaitExit(), service::output);
      assertEquals(atSignal, service.said("done"), service::output);
      assertEquals(0, service.count("trigger of a shutdown: "), service::output);
    }
  }
}
