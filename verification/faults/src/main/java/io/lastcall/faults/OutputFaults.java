package io.lastcall.faults;

import static io.lastcall.faults.Fault.Server.NETTY;
import static io.lastcall.faults.Fault.Server.TOMCAT;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Output and log that break once the service is up. */
final class OutputFaults {
  /** What a pipe holds on Linux. */
  private static final int PIPE_BYTES = 65_536;

  private OutputFaults() {}

  static List<Fault> all() {
    String noLog = "the log is what is broken";
    return List.of(
        full(NETTY, "standard output is a full pipe that is not read", Right.clean()),
        full(
            TOMCAT,
            "the same, and the hook of java.util.logging waits for the pipe",
            Right.code(Right.CLEAN, Right.HALTED)),
        output("standard output is read slowly", Right.clean().noRecord("read too slowly"))
            .reading(Fault.Reading.SLOWLY),
        output("standard output is closed", Right.clean().noRecord(noLog))
            .reading(Fault.Reading.CLOSED)
            .before(run -> run.jvm().closeOutput()),
        output("every line that is logged throws", Right.clean().noRecord(noLog))
            .breaks("log=throw"),
        output(
                "every line that is logged throws OutOfMemoryError",
                Right.code(Right.CLEAN, Right.INCOMPLETE).noRecord(noLog))
            .breaks("log=throw-oom"),
        output("a line that is logged hangs", Right.clean().noRecord(noLog)).breaks("log=hang"),
        output("a line that is logged loops", Right.clean().noRecord(noLog)).breaks("log=loop"),
        output(
                "a line that is logged calls System.exit",
                Right.code(Right.CLEAN, Right.INCOMPLETE, Right.EXITED_BY_APPLICATION)
                    .noRecord(noLog)
                    .mayLose("a System.exit does not wait for routers"))
            .breaks("log=exit"));
  }

  private static Fault full(Fault.Server server, String name, Right right) {
    return Fault.of("Output", server, name, right.noLog("nothing can be written to it"))
        .reading(Fault.Reading.NOTHING)
        .breaks("output=fill")
        .before(OutputFaults::awaitFull);
  }

  private static void awaitFull(Run run) throws Exception {
    while (run.jvm().unread() < PIPE_BYTES) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private static Fault output(String name, Right right) {
    return Fault.of("Output", NETTY, name, right);
  }
}
