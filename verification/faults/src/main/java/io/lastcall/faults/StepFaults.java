package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.NONE;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.util.ArrayList;
import java.util.List;

/** Steps that hang, loop, throw, exit. */
final class StepFaults {
  private StepFaults() {}

  static List<Fault> all() {
    List<Fault> faults = new ArrayList<>();
    for (String phase :
        List.of("KEEP_SERVING", "FAIL_READINESS", "DRAIN", "CLOSE_CONNECTIONS", "EXIT")) {
      faults.add(
          step("a step of " + phase + " hangs and ignores its interrupt", Right.incomplete())
              .breaks("step:" + phase + "=hang"));
    }
    faults.addAll(
        List.of(
            step("a step of DRAIN loops", Right.incomplete()).breaks("step:DRAIN=loop"),
            step("a step of EXIT loops", Right.incomplete()).breaks("step:EXIT=loop"),
            step("a step throws", Right.incomplete()).breaks("step:DRAIN=throw"),
            step("a step overflows its stack", Right.incomplete()).breaks("step:DRAIN=overflow"),
            step("a step throws OutOfMemoryError", Right.incomplete())
                .breaks("step:DRAIN=throw-oom"),
            step("a step fails with a message of a million characters", Right.incomplete())
                .breaks("step:DRAIN=throw-long"),
            step("a step's stage never completes", Right.incomplete()).breaks("stage=never"),
            step("a step's stage fails", Right.incomplete()).breaks("stage=fail"),
            step("a step interrupts every thread", Right.code(Right.CLEAN, Right.INCOMPLETE))
                .breaks("step:DRAIN=interrupt-all"),
            step("a step leaves a thread that is no daemon", Right.clean())
                .breaks("step:DRAIN=leave-thread"),
            step("1,000 steps", Right.clean()).breaks("steps=1000"),
            step(
                    "a step calls System.exit",
                    Right.code(Right.EXITED_BY_APPLICATION, Right.INCOMPLETE))
                .breaks("step:DRAIN=exit"),
            step(
                    "a step halts the JVM",
                    Right.code(Right.HALTED_BY_APPLICATION)
                        .mayLose("the application ends the process at once")
                        .notSurvived("no code runs after Runtime.halt"))
                .breaks("step:DRAIN=halt"),
            Fault.of("Steps", NONE, "a step of DRAIN hangs", Right.incomplete())
                .breaks("step:DRAIN=hang"),
            Fault.of("Steps", TOMCAT, "steps of four phases hang", Right.incomplete())
                .breaks("step:KEEP_SERVING=hang")
                .breaks("step:DRAIN=hang")
                .breaks("step:CLOSE_CONNECTIONS=hang")
                .breaks("step:EXIT=hang")));
    return faults;
  }

  private static Fault step(String name, Right right) {
    return Fault.of("Steps", NETTY, name, right);
  }
}
