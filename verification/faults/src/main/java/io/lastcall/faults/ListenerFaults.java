package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;

import java.util.List;

/** Shutdown listeners that break as DRAIN begins. What a listener does is in no one's way. */
final class ListenerFaults {
  private ListenerFaults() {}

  static List<Fault> all() {
    return List.of(
        listener("a listener hangs", Right.code(Right.CLEAN, Right.INCOMPLETE))
            .breaks("listener=hang"),
        listener("a listener loops", Right.code(Right.CLEAN, Right.INCOMPLETE))
            .breaks("listener=loop"),
        listener("a listener throws", Right.code(Right.CLEAN, Right.INCOMPLETE))
            .breaks("listener=throw"),
        listener("a listener overflows its stack", Right.code(Right.CLEAN, Right.INCOMPLETE))
            .breaks("listener=overflow"),
        listener(
                "a listener fails with a message of a million characters",
                Right.code(Right.CLEAN, Right.INCOMPLETE))
            .breaks("listener=throw-long"),
        listener(
                "a listener calls System.exit",
                Right.code(Right.CLEAN, Right.INCOMPLETE, Right.EXITED_BY_APPLICATION))
            .breaks("listener=exit"));
  }

  private static Fault listener(String name, Right right) {
    return Fault.of("Listeners", NETTY, name, right);
  }
}
