package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.NONE;

import java.util.List;

/** Shutdown hooks of others. */
final class HookFaults {
  private HookFaults() {}

  static List<Fault> all() {
    return List.of(
        hook("a hook hangs", Right.halted()).breaks("hook=hang"),
        hook("a hook loops", Right.halted()).breaks("hook=loop"),
        hook("a hook calls System.exit, which waits for all hooks", Right.halted())
            .breaks("hook=exit"),
        hook("a hook takes two seconds", Right.clean()).breaks("hook=slow"),
        hook("a hook throws", Right.clean()).breaks("hook=throw"),
        hook("a hook overflows its stack", Right.clean()).breaks("hook=overflow"),
        hook("a hook interrupts every thread", Right.clean()).breaks("hook=interrupt-all"),
        hook("a hook leaves a thread that is no daemon", Right.clean()).breaks("hook=leave-thread"),
        hook(
                "a hook fills the heap",
                Right.halted().noRecord("records need heap; what was written before stays"))
            .breaks("hook=fill-heap"),
        hook(
                "a hook halts the JVM",
                Right.code(Right.HALTED_BY_APPLICATION)
                    .notSurvived("the exit code is the hook's; requests and records are whole"))
            .breaks("hook=halt"),
        Fault.of("Hooks", NONE, "a hook hangs", Right.halted()).breaks("hook=hang"));
  }

  private static Fault hook(String name, Right right) {
    return Fault.of("Hooks", NETTY, name, right);
  }
}
